package bot

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"time"
)

// detach gives a program a session of its own, so that Ctrl-C in the terminal is
// not its business, and lets the kernel end it with us, however we end.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// killTree ends a process that is not yet reaped and all that it started: its
// group, its session, what carries the mark in its environment, and the children
// of all these. It looks before it kills, because a child's parent is known only
// while it lives, and again until none is left, because a process may start
// another one while we look. Only an orphan that left the session and cleared its
// environment before we looked escapes.
func killTree(leader *os.Process, mark string) {
	known := map[int]bool{leader.Pid: true}
	for range 100 {
		left := family(leader.Pid, mark, known)
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL) // it may just have ended
		}
		_ = syscall.Kill(-leader.Pid, syscall.SIGKILL) // the group at once, also where there is no /proc
		if len(left) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// family lists the living processes that belong to a bot, and adds them to those
// known.
func family(leader int, mark string, known map[int]bool) (left []int) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	variable := []byte(botMark + "=" + mark)
	parents := map[int]int{}
	var living []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		s, ok := status(pid)
		if !ok {
			continue
		}
		living = append(living, pid)
		parents[pid] = s.parent
		environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // others' cannot be read
		if s.group == leader || s.session == leader || bytes.Contains(environment, variable) {
			known[pid] = true
		}
	}
	for more := true; more; { // their children
		more = false
		for _, pid := range living {
			if !known[pid] && known[parents[pid]] {
				known[pid], more = true, true
			}
		}
	}
	for _, pid := range living {
		if known[pid] {
			left = append(left, pid)
		}
	}
	return left
}

type processStatus struct{ parent, group, session int }

// status reads /proc/PID/stat of a process that lives.
func status(pid int) (s processStatus, living bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, false
	}
	var state string
	_, after, _ := bytes.Cut(data[bytes.LastIndexByte(data, ')')+1:], []byte(" ")) // the name may hold anything
	n, _ := fmt.Fscan(bytes.NewReader(after), &state, &s.parent, &s.group, &s.session)
	return s, n == 4 && state != "Z" && state != "X"
}
