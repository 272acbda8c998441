#include "stream.h"

#include <thread>

#include "driver.h"

namespace sim {

void Latch::set() {
	std::lock_guard<std::mutex> lock(mutex_);
	done_ = true;
	when_ = std::chrono::steady_clock::now();
	changed_.notify_all();
}

void Latch::wait() {
	std::unique_lock<std::mutex> lock(mutex_);
	changed_.wait(lock, [this] { return done_; });
}

bool Latch::done() {
	std::lock_guard<std::mutex> lock(mutex_);
	return done_;
}

void Stream::start() {
	std::thread([self = shared_from_this()] { self->loop(); }).detach();
}

Ticket Stream::push(std::function<void(Runner &)> work, std::vector<Ticket> after) {
	auto ticket = std::make_shared<Latch>();
	std::lock_guard<std::mutex> lock(mutex_);
	queue_.push_back({std::move(work), std::move(after), ticket});
	tail_ = ticket;
	changed_.notify_one();
	return ticket;
}

Ticket Stream::tail() {
	std::lock_guard<std::mutex> lock(mutex_);
	return tail_;
}

void Stream::stop() {
	std::lock_guard<std::mutex> lock(mutex_);
	stopped_ = true;
	changed_.notify_one();
}

void Stream::loop() {
	Runner runner(driver().memory);
	for (;;) {
		Task task;
		{
			std::unique_lock<std::mutex> lock(mutex_);
			changed_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
			if (queue_.empty()) return;
			task = std::move(queue_.front());
			queue_.pop_front();
		}
		for (auto &ticket : task.after) ticket->wait();
		if (uint64_t us = settings().slow) std::this_thread::sleep_for(std::chrono::microseconds(us));
		if (!context->failed) {
			try {
				task.work(runner);
			} catch (const Fault &f) {
				if (!f.text.empty()) report(f.text);
				context->failed = f.code;
			}
		}
		task.work = nullptr; // what it holds may go before a waiter goes on
		task.ticket->set();
	}
}

} // namespace sim
