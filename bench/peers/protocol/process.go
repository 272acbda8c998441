package protocol

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// patience is how long a peer may take for an answer: making the operands and
// a few runs of the slowest workload take seconds.
const patience = 2 * time.Minute

// A Process is a peer that runs.
type Process struct {
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
}

// Start starts a peer.
func Start(cmd *exec.Cmd) (*Process, error) {
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	return &Process{cmd, in, lines}, nil
}

// Ask sends a request and waits for the answer. After an error the peer is of
// no more use; it is killed if it takes too long.
func (p *Process) Ask(q Request) (Answer, error) {
	line, err := json.Marshal(q)
	if err != nil {
		return Answer{}, err
	}
	timeout := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer timeout.Stop()
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return Answer{}, fmt.Errorf("the peer is gone: %w", err)
	}
	if !p.lines.Scan() {
		return Answer{}, fmt.Errorf("the peer ended, or took more than %v, at %s", patience, line)
	}
	var a Answer
	if err := json.Unmarshal(p.lines.Bytes(), &a); err != nil {
		return Answer{}, fmt.Errorf("answer %q: %w", p.lines.Text(), err)
	}
	return a, nil
}

// Close ends the peer by closing its input, or kills one that does not listen.
func (p *Process) Close() error {
	_ = p.in.Close()
	timeout := time.AfterFunc(10*time.Second, func() { _ = p.cmd.Process.Kill() })
	defer timeout.Stop()
	return p.cmd.Wait()
}
