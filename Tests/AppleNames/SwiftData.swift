// Stand-ins for public types of SwiftData, Charts and TipKit, by the names in https://developer.apple.com/documentation/.

public protocol PersistentModel {}
public protocol SchemaMigrationPlan {}
public protocol VersionedSchema {}
public protocol SchemaProperty {}
public enum Attribute {}
public enum DefaultStore {}
public enum FetchDescriptor {}
public enum FetchResultsCollection {}
public enum HistoryDescriptor {}
public enum HistoryToken {}
public enum MigrationStage {}
public enum ModelConfiguration {}
public enum ModelContainer {}
public enum ModelContext {}
public enum ModelExecutor {}
public enum PersistentIdentifier {}
public enum Relationship {}
public enum Schema {}
public enum SwiftDataError {}

public enum AreaMark {}
public enum AxisMarks {}
public enum BarMark {}
public enum Chart {}
public enum ChartProxy {}
public enum LineMark {}
public enum Plot {}
public enum PlottableValue {}
public enum PointMark {}
public enum RuleMark {}
public enum SectorMark {}

public enum Tip {}
public enum TipView {}
