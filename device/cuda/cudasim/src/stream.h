// Streams: each has a thread that performs what was put on it, in order.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "warp.h"

namespace sim {

// A Latch says whether a task is done.
class Latch {
public:
	void set();
	void wait();
	bool done();
	std::chrono::steady_clock::time_point when() { return when_; } // once done

private:
	std::mutex mutex_;
	std::condition_variable changed_;
	bool done_ = false;
	std::chrono::steady_clock::time_point when_;
};
using Ticket = std::shared_ptr<Latch>;

struct Context;

class Stream : public std::enable_shared_from_this<Stream> {
public:
	Stream(Context *context, bool blocking) : context(context), blocking(blocking) {}
	void start();
	// push lets work wait for others, then run unless the context has failed.
	Ticket push(std::function<void(Runner &)> work, std::vector<Ticket> after);
	Ticket tail(); // of the last task
	void stop();   // the thread ends when it is done

	Context *const context;
	const bool blocking; // waits for the default stream, and it for this one

private:
	struct Task {
		std::function<void(Runner &)> work;
		std::vector<Ticket> after;
		Ticket ticket;
	};
	void loop();
	std::mutex mutex_;
	std::condition_variable changed_;
	std::deque<Task> queue_;
	Ticket tail_;
	bool stopped_ = false;
};

} // namespace sim
