// A node of a dqlite cluster, for tests and for trying.
//
//     cc -O2 -o dqlite-node dqlite-node.c -ldqlite
//     dqlite-node ID ADDRESS FOLDER [LATENCY]
//
// Node 1 begins a cluster; others wait to be added to it. LATENCY is that between the nodes, in milliseconds (15): the time
// until a new leader is elected grows with it. It runs until it is killed.
#include <dqlite.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 4) {
    fprintf(stderr, "usage: dqlite-node ID ADDRESS FOLDER [LATENCY]\n");
    return 64;
  }
  // A node that writes to one that was killed would end as well.
  signal(SIGPIPE, SIG_IGN);
  dqlite_node *node = NULL;
  int code = dqlite_node_create(strtoull(arguments[1], NULL, 10), arguments[2], arguments[3], &node);
  if (code == 0) code = dqlite_node_set_bind_address(node, arguments[2]);
  if (code == 0) code = dqlite_node_set_network_latency_ms(node, count > 4 ? (unsigned)atoi(arguments[4]) : 15);
  if (code == 0) code = dqlite_node_start(node);
  if (code != 0) {
    fprintf(stderr, "dqlite-node: %s\n", node ? dqlite_node_errmsg(node) : "cannot be created");
    return 1;
  }
  for (;;) pause();
}
