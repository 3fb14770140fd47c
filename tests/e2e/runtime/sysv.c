// RUN: same-as-kernel %tamar %s %t
#include "Inputs/trace.h"
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/shm.h>
#include <sys/wait.h>

static struct {
    long type;
    char text[16];
} message;

static void send(int queue, long type, const char *text) {
    message.type = type;
    strcpy(message.text, text);
    T(msgsnd(queue, &message, strlen(text), IPC_NOWAIT));
}
static void receive(int queue, long type, int flags) {
    memset(&message, 0, sizeof message);
    T(msgrcv(queue, &message, 8, type, flags | IPC_NOWAIT));
    printf("   %ld \"%s\"\n", message.type, message.text);
}

static void order(int queue) {
    struct msqid_ds status;
    const char *words[] = {"one", "two", "three", "four", "five", "longer than 8"};
    long types[] = {3, 1, 2, 1, 5, 7};
    for (int i = 0; i < 6; i++) send(queue, types[i], words[i]);
    T(msgctl(queue, IPC_STAT, &status));
    printf("   %ld messages, %ld of %ld bytes, mode %o\n", (long)status.msg_qnum, (long)status.__msg_cbytes,
           (long)status.msg_qbytes, status.msg_perm.mode);
    receive(queue, 1, 0);
    receive(queue, -2, 0);
    receive(queue, -2, 0);
    receive(queue, -1, 0);
    receive(queue, 3, MSG_EXCEPT);
    receive(queue, 0, 0);
    receive(queue, 7, 0);
    receive(queue, 7, MSG_NOERROR);
    receive(queue, 0, 0);
    status.msg_qbytes = 10;
    status.msg_perm.mode = 0640;
    T(msgctl(queue, IPC_SET, &status));
    send(queue, 1, "12345678");
    send(queue, 1, "123");
    send(queue, 0, "");
    T(msgsnd(queue, &message, -1, 0));
    T(msgsnd(queue + 1000, &message, 1, 0));
}

static void queues(void) {
    int queue = msgget(IPC_PRIVATE, 0600), child;
    order(queue);
    int turns[2], turn; // the child goes on when the parent has printed
    if (pipe(turns)) exit(9);
    if ((child = fork()) == 0) {
        for (int i = 0; i < 3; i++) {
            if (msgrcv(queue, &message, 8, 0, 0) < 0) break;
            if (i == 0 && read(turns[0], &turn, 1) != 1) exit(8);
            printf("   child: %ld %.8s\n", message.type, message.text);
        }
        printf("   child: %s\n", strerror(errno));
        exit(0);
    }
    message.type = 4;
    T(msgsnd(queue, &message, 5, 0)); // waits until the child has taken the first
    fflush(stdout);
    if (write(turns[1], "", 1) != 1) exit(7);
    while (msgsnd(queue, &message, 10, IPC_NOWAIT) < 0) usleep(1000); // the queue is empty
    wait(NULL);
    T(msgctl(queue, IPC_RMID, NULL));
    T(msgctl(queue, IPC_RMID, NULL));
    T(msgrcv(queue, &message, 8, 0, 0));
    key_t key = ftok(".", 'q');
    T(msgget(key, 0600));
    queue = msgget(key, IPC_CREAT | IPC_EXCL | 0600);
    T(msgget(key, IPC_CREAT | IPC_EXCL | 0600));
    T(msgget(key, 0) == queue);
    T(msgctl(queue, IPC_RMID, NULL));
}

static void segments(void) {
    struct shmid_ds status;
    T(shmget(IPC_PRIVATE, 0, 0600));
    key_t key = ftok(".", 's');
    T(shmget(key, 100, 0600));
    int segment = shmget(key, 100, IPC_CREAT | 0600);
    T(shmget(key, 50, 0600) == segment);
    T(shmget(key, 101, 0600));
    char *at = shmat(segment, NULL, 0);
    T(at[99]);
    strcpy(at, "from the parent");
    if (fork() == 0) {
        printf("   child: %s\n", at);
        strcpy(at, "from the child");
        T(shmdt(at));
        T(shmdt(at));
        char *again = shmat(segment, NULL, 0);
        again[50] = '!';
        exit(0);
    }
    wait(NULL);
    printf("   %s%c\n", at, at[50]);
    T(shmctl(segment, IPC_RMID, NULL));
    T(shmget(key, 50, 0600));
    T(shmctl(segment, IPC_STAT, &status));
    printf("   %ld bytes, %ld attached, mode %o\n", (long)status.shm_segsz, (long)status.shm_nattch,
           status.shm_perm.mode);
    T(shmdt(at));
    T(shmctl(segment, IPC_STAT, &status));
    T((long)shmat(segment, NULL, 0));
}

int main(void) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    queues();
    segments();
    return 0;
}
