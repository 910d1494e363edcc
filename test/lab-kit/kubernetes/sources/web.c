/* Answers every HTTP request on a port (first argument, 8080 by default) with its host's name: shows who served. */
#include <arpa/inet.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void answer(int client) {
  char name[128] = "", request[2048], reply[512];
  if (read(client, request, sizeof request) <= 0) return;
  gethostname(name, sizeof name - 1);
  int length = snprintf(reply, sizeof reply,
                        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s\n",
                        strlen(name) + 1, name);
  if (write(client, reply, length) != length) perror("web: write");
}

static void end(int signal) {
  (void)signal;
  _exit(0);
}

int main(int argc, char **argv) {
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons(argc > 1 ? atoi(argv[1]) : 8080)};
  int server = socket(AF_INET, SOCK_STREAM, 0), yes = 1;
  signal(SIGTERM, end);
  signal(SIGPIPE, SIG_IGN);
  setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (server < 0 || bind(server, (struct sockaddr *)&here, sizeof here) || listen(server, 64)) {
    perror("web");
    return EXIT_FAILURE;
  }
  for (;;) {
    int client = accept(server, NULL, NULL);
    if (client < 0) continue;
    answer(client);
    close(client);
  }
}
