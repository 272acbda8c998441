// The state behind the driver API.
#pragma once
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "settings.h"
#include "status.h"
#include "stream.h"

namespace sim {

struct Event {
	std::mutex mutex;
	Ticket ticket; // null before it is recorded
	bool timed = true;
};

// The primary context of a device. It lives as long as the process, and is
// made anew when it is retained after all was released.
struct Context {
	int device = 0;
	std::atomic<int> failed{0}; // the code that every call then returns
	int references = 0;
	std::shared_ptr<Stream> defaultStream;
	std::map<void *, std::shared_ptr<Stream>> streams;
	std::map<void *, std::shared_ptr<Event>> events;
	std::map<void *, std::shared_ptr<Module>> modules;
	std::map<void *, std::shared_ptr<Module>> functions; // function -> its module
	std::map<char *, size_t> pinned;
	std::mutex mutex; // of all the above

	std::shared_ptr<Stream> stream(void *handle); // null: no such stream
	std::shared_ptr<Event> event(void *handle);
	Ticket submit(const std::shared_ptr<Stream> &s, std::function<void(Runner &)> work, std::vector<Ticket> after = {});
	void drain(); // waits for all streams
	bool isPinned(const void *p, size_t n);
	std::vector<std::string> live();
	void destroy();
};

struct Driver {
	Memory memory;
	std::atomic<bool> initialized{false};
	std::mutex mutex;
	std::map<int, std::unique_ptr<Context>> contexts; // by device, made on demand
	std::vector<std::string> leaked;                  // of contexts that were destroyed

	Context *context(int device);
};

Driver &driver();

// current is the context of this thread, and enter whether it may be used:
// every function that needs one begins with it. It returns a code.
Context *&current();
int enter(const char *function);

} // namespace sim

#define CUDASIM_API extern "C" __attribute__((visibility("default"))) int
#define CUDASIM_ENTER(function) \
	if (int code = sim::enter(function)) return code; \
	sim::Context &ctx = *sim::current()
