#include "run/serve.h"

#include "base/alloc.h"
#include "base/error.h"
#include "base/log.h"
#include "run/run_page.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define OPTION       "--serve"
#define MOST_REQUEST 8192
#define PATIENCE     2 // seconds: time limit of a request; a browser that is silent for twice as long has left

struct serve {
    pid_t child;
};

static volatile sig_atomic_t is_over; // set in the child when the run has ended

static void note_end(int number) { is_over = 1; }

// ---- one request

// Whether the request names this host. A page of another site must not read this one (DNS rebinding).
static bool is_own_host(const char *request, unsigned port) {
    const char *host = strcasestr(request, "\r\nHost:");
    char local[32], name[32];
    if (!host) return false;
    host += strlen("\r\nHost:");
    host += strspn(host, " \t");
    size_t length = strcspn(host, "\r\n");
    snprintf(local, sizeof local, "127.0.0.1:%u", port);
    snprintf(name, sizeof name, "localhost:%u", port);
    return (length == strlen(local) && !strncmp(host, local, length)) ||
           (length == strlen(name) && !strncmp(host, name, length));
}

static bool read_request(int client, char *request) {
    size_t got = 0;
    while (got < MOST_REQUEST - 1) {
        ssize_t more = read(client, request + got, MOST_REQUEST - 1 - got);
        if (more <= 0) return false;
        got += (size_t)more;
        request[got] = 0;
        if (strstr(request, "\r\n\r\n")) return true;
    }
    return false;
}

static void answer(int client, const char *status, const char *more, const struct text *body) {
    struct text head = {0};
    text_add(&head,
             "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: %zu\r\nCache-Control: "
             "no-store\r\nX-Content-Type-Options: nosniff\r\n%sConnection: close\r\n\r\n",
             status, body->count, more);
    if (send(client, head.at, head.count, MSG_NOSIGNAL) == (ssize_t)head.count)
        for (size_t sent = 0; sent < body->count;) {
            ssize_t more_sent = send(client, body->at + sent, body->count - sent, MSG_NOSIGNAL);
            if (more_sent <= 0) break;
            sent += (size_t)more_sent;
        }
    text_free(&head);
}

// Returns true if it has sent the page of a finished run.
static bool serve_client(int client, unsigned port, const char *folder) {
    char request[MOST_REQUEST];
    struct timeval patience = {.tv_sec = PATIENCE};
    struct text page = {0};
    bool running = true, last = false;
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!read_request(client, request)) return false;
    bool over = is_over; // before the files are read
    if (!is_own_host(request, port)) {
        text_add(&page, "this host is not served\n");
        answer(client, "403 Forbidden", "", &page);
    } else if (strncmp(request, "GET / ", 6) != 0) {
        text_add(&page, "there is only one page: /\n");
        answer(client, "404 Not Found", "", &page);
    } else if (run_page_make(&page, folder, &running)) {
        last = over;
        answer(client, "200 OK", over ? "" : "Refresh: 2\r\n", &page);
    } else {
        text_add(&page, "the run has no results yet\n");
        answer(client, "200 OK", "Refresh: 1\r\n", &page);
    }
    text_free(&page);
    return last;
}

// ---- the process

static void serve_all(int listener, unsigned port, const char *folder) {
    time_t seen = 0, over_at = 0;
    struct pollfd waits = {.fd = listener, .events = POLLIN};
    for (;;) {
        if (is_over && !over_at) over_at = time(NULL);
        // No browser has connected in time.
        if (over_at && (over_at - seen > 2 * PATIENCE || time(NULL) - over_at > 2 * PATIENCE)) return;
        if (poll(&waits, 1, 200) <= 0) continue;
        int client = accept(listener, NULL, NULL);
        if (client < 0) continue;
        seen = time(NULL);
        bool last = serve_client(client, port, folder);
        close(client);
        if (last) return;
    }
}

static int open_port(const char *text, unsigned *port) {
    char *end;
    unsigned long number = *text ? strtoul(text, &end, 10) : 0;
    if (number > 65535) {
        user_error_at(OPTION, "Give a number up to 65535, or none.", "'%s' is not a port", text);
        return -1;
    }
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons((uint16_t)number)};
    socklen_t size = sizeof at;
    int one = 1, listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (listener >= 0) setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (listener < 0 || bind(listener, (struct sockaddr *)&at, sizeof at) != 0 || listen(listener, 8) != 0 ||
        getsockname(listener, (struct sockaddr *)&at, &size) != 0) {
        user_error_at(OPTION, "Name another port, or none.", "port %lu of 127.0.0.1 cannot be used: %s",
                      number, strerror(errno));
        if (listener >= 0) close(listener);
        return -1;
    }
    *port = ntohs(at.sin_port);
    return listener;
}

struct serve *serve_start(const char *text, const char *folder) {
    unsigned port;
    int listener = open_port(text, &port);
    if (listener < 0) return NULL;
    log_line("the page of this run: http://127.0.0.1:%u/", port);
    fflush(stdout);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(0);
        signal(SIGINT, SIG_IGN); // the run ends it
        signal(SIGTERM, SIG_IGN);
        signal(SIGUSR1, note_end);
        log_set_level(LOG_QUIET);
        user_warnings_mute();
        serve_all(listener, port, folder);
        _exit(0);
    }
    close(listener);
    if (child < 0) {
        user_error_at(OPTION, NULL, "cannot start a process: %s", strerror(errno));
        return NULL;
    }
    struct serve *serve = NEW(struct serve);
    serve->child = child;
    return serve;
}

void serve_end(struct serve *serve) {
    if (!serve) return;
    int status;
    kill(serve->child, SIGUSR1);
    while (waitpid(serve->child, &status, 0) < 0 && errno == EINTR) {}
    DELETE(serve);
}
