<?php
/** ask.php words TEXT | history TITLE | links TITLE | missing TITLE: what MediaWiki finds, in a line. */
require_once getenv( 'PROGRAM' ) . '/root/usr/share/mediawiki/maintenance/Maintenance.php';

class Ask extends Maintenance {
	public function __construct() {
		parent::__construct();
		$this->addArg( 'what', '' );
		$this->addArg( 'of', '' );
	}

	public function execute() {
		$services = MediaWiki\MediaWikiServices::getInstance();
		[ $what, $of ] = [ $this->getArg( 0 ), $this->getArg( 1 ) ];
		$title = Title::newFromText( $of );
		if ( $what === 'words' ) {
			$found = $services->newSearchEngine()->searchText( $of );
			$found = $found instanceof StatusValue ? $found->getValue() : $found;
			$titles = array_map( static fn ( $result ) => $result->getTitle()->getPrefixedText(), $found->extractResults() );
			sort( $titles );
			$this->output( implode( ', ', $titles ) . "\n" );
		} elseif ( $what === 'history' ) {
			$this->output( $services->getRevisionStore()->countRevisionsByTitle( $this->getDB( DB_REPLICA ), $title ) . "\n" );
		} elseif ( $what === 'links' ) {
			$this->output( count( $title->getLinksTo() ) . "\n" );
		}
	}
}

$maintClass = Ask::class;
require_once RUN_MAINTENANCE_IF_MAIN;
