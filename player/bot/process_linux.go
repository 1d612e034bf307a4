package bot

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"
)

// killTree kills a process that is not yet reaped and its descendants: its process group, its session, processes with
// the mark in their environment, and the children of all these. It lists the processes before it kills them, since
// the parent of a child is known only while the parent lives. It repeats this until no process is left, since a
// process may fork meanwhile. Only an orphan that left the session and cleared its environment before the first
// listing can escape.
func killTree(leader *os.Process, mark string) {
	ours := map[int]bool{leader.Pid: true}
	for range 100 {
		alive := family(leader.Pid, mark, ours)
		for _, pid := range alive {
			_ = syscall.Kill(pid, syscall.SIGKILL) // ignore the error: the process may have exited already
		}
		_ = syscall.Kill(-leader.Pid, syscall.SIGKILL) // the process group, in case /proc is missing
		if len(alive) == 0 {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// family returns the live processes of a bot. ours holds the process IDs that are known to belong to the bot; family
// adds those that it finds.
func family(leader int, mark string, ours map[int]bool) (alive []int) {
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
		environment, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid)) // fails for other users' processes
		if s.group == leader || s.session == leader || bytes.Contains(environment, variable) {
			ours[pid] = true
		}
	}
	for more := true; more; { // repeat until no new children are found
		more = false
		for _, pid := range living {
			if !ours[pid] && ours[parents[pid]] {
				ours[pid], more = true, true
			}
		}
	}
	for _, pid := range living {
		if ours[pid] {
			alive = append(alive, pid)
		}
	}
	return alive
}

type processStatus struct{ parent, group, session int }

// status reads /proc/PID/stat. living is false if the process has ended.
func status(pid int) (s processStatus, living bool) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, false
	}
	var state string
	// The command name, in parentheses, may itself contain parentheses and spaces.
	_, after, _ := bytes.Cut(data[bytes.LastIndexByte(data, ')')+1:], []byte(" "))
	n, _ := fmt.Fscan(bytes.NewReader(after), &state, &s.parent, &s.group, &s.session)
	return s, n == 4 && state != "Z" && state != "X"
}
