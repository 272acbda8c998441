// Memory, copies, streams and events.
#include <cstdlib>
#include <cstring>

#include "driver.h"

using namespace sim;
using Address = unsigned long long;

CUDASIM_API cuMemGetInfo_v2(size_t *free, size_t *total) {
	CUDASIM_ENTER("cuMemGetInfo");
	std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
	uint64_t used = driver().memory.used(ctx.device);
	*total = settings().memory;
	*free = used < *total ? *total - used : 0;
	return kSuccess;
}

CUDASIM_API cuMemAlloc_v2(Address *address, size_t n) {
	CUDASIM_ENTER("cuMemAlloc");
	if (!n) return kInvalidValue;
	{
		std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
		if (driver().memory.used(ctx.device) + n > settings().memory) return kOutOfMemory;
	}
	*address = driver().memory.allocate(ctx.device, n, "memory", false);
	return *address ? kSuccess : kOutOfMemory;
}

// Freeing waits for the device, as the driver does.
CUDASIM_API cuMemFree_v2(Address address) {
	CUDASIM_ENTER("cuMemFree");
	if (!address) return kSuccess;
	ctx.drain();
	if (ctx.failed) return ctx.failed;
	return driver().memory.release(address, ctx.device) ? kSuccess : kInvalidValue;
}

CUDASIM_API cuMemAllocHost_v2(void **p, size_t n) {
	CUDASIM_ENTER("cuMemAllocHost");
	if (!n) return kInvalidValue;
	if (posix_memalign(p, 4096, n)) return kOutOfMemory;
	std::memset(*p, 0xA5, n);
	std::lock_guard<std::mutex> lock(ctx.mutex);
	ctx.pinned[static_cast<char *>(*p)] = n;
	return kSuccess;
}

CUDASIM_API cuMemFreeHost(void *p) {
	CUDASIM_ENTER("cuMemFreeHost");
	ctx.drain();
	std::lock_guard<std::mutex> lock(ctx.mutex);
	if (!ctx.pinned.erase(static_cast<char *>(p))) return kInvalidValue;
	std::free(p);
	return kSuccess;
}

// inside says whether an address range can be copied to or from.
static bool inside(Context &ctx, Address a, size_t n) {
	std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
	return driver().memory.host(a, n, ctx.device) != nullptr;
}

// at is where a range lies when a task runs; it may have been freed since.
static uint8_t *at(Context &ctx, Address a, size_t n) {
	uint8_t *p = driver().memory.host(a, n, ctx.device);
	if (!p) throw Fault{kIllegalAddress, "copy or fill of " + driver().memory.describe(a, n, ctx.device)};
	return p;
}

CUDASIM_API cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t n, void *stream) {
	CUDASIM_ENTER("cuMemcpyHtoDAsync");
	auto s = ctx.stream(stream);
	if (!s) return kInvalidHandle;
	if (!inside(ctx, to, n)) return kInvalidValue;
	// Memory that is not pinned is copied aside before the call returns.
	std::shared_ptr<std::vector<char>> aside;
	if (!ctx.isPinned(from, n)) {
		aside = std::make_shared<std::vector<char>>(static_cast<const char *>(from), static_cast<const char *>(from) + n);
		from = aside->data();
	}
	ctx.submit(s, [=, &ctx](Runner &) {
		std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
		std::memcpy(at(ctx, to, n), from, n);
		(void)aside;
	});
	return kSuccess;
}

CUDASIM_API cuMemcpyDtoHAsync_v2(void *to, Address from, size_t n, void *stream) {
	CUDASIM_ENTER("cuMemcpyDtoHAsync");
	auto s = ctx.stream(stream);
	if (!s) return kInvalidHandle;
	if (!inside(ctx, from, n)) return kInvalidValue;
	Ticket t = ctx.submit(s, [=, &ctx](Runner &) {
		std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
		std::memcpy(to, at(ctx, from, n), n);
	});
	if (ctx.isPinned(to, n)) return kSuccess;
	t->wait(); // memory that is not pinned is filled before the call returns
	return ctx.failed;
}

CUDASIM_API cuMemcpyDtoDAsync_v2(Address to, Address from, size_t n, void *stream) {
	CUDASIM_ENTER("cuMemcpyDtoDAsync");
	auto s = ctx.stream(stream);
	if (!s) return kInvalidHandle;
	if (!inside(ctx, to, n) || !inside(ctx, from, n)) return kInvalidValue;
	ctx.submit(s, [=, &ctx](Runner &) {
		std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
		std::memmove(at(ctx, to, n), at(ctx, from, n), n);
	});
	return kSuccess;
}

// The copies without a stream are put on the default stream and waited for.
static int finish(Context &ctx, int code) {
	if (code) return code;
	if (Ticket t = ctx.stream(nullptr)->tail()) t->wait();
	return ctx.failed;
}

CUDASIM_API cuMemcpyHtoD_v2(Address to, const void *from, size_t n) {
	CUDASIM_ENTER("cuMemcpyHtoD");
	return finish(ctx, cuMemcpyHtoDAsync_v2(to, from, n, nullptr));
}

CUDASIM_API cuMemcpyDtoH_v2(void *to, Address from, size_t n) {
	CUDASIM_ENTER("cuMemcpyDtoH");
	return finish(ctx, cuMemcpyDtoHAsync_v2(to, from, n, nullptr));
}

CUDASIM_API cuMemcpyDtoD_v2(Address to, Address from, size_t n) {
	CUDASIM_ENTER("cuMemcpyDtoD");
	return finish(ctx, cuMemcpyDtoDAsync_v2(to, from, n, nullptr));
}

template <class T>
static int fill(Context &ctx, Address to, T value, size_t n, void *stream) {
	auto s = ctx.stream(stream);
	if (!s) return kInvalidHandle;
	if (to % sizeof(T) || !inside(ctx, to, n * sizeof(T))) return kInvalidValue;
	ctx.submit(s, [=, &ctx](Runner &) {
		std::shared_lock<std::shared_mutex> lock(driver().memory.mutex);
		uint8_t *p = at(ctx, to, n * sizeof(T));
		for (size_t i = 0; i < n; i++) std::memcpy(p + i * sizeof(T), &value, sizeof(T));
	});
	return kSuccess;
}

CUDASIM_API cuMemsetD8Async(Address to, unsigned char value, size_t n, void *stream) {
	CUDASIM_ENTER("cuMemsetD8Async");
	return fill(ctx, to, value, n, stream);
}

CUDASIM_API cuMemsetD16Async(Address to, unsigned short value, size_t n, void *stream) {
	CUDASIM_ENTER("cuMemsetD16Async");
	return fill(ctx, to, value, n, stream);
}

CUDASIM_API cuMemsetD32Async(Address to, unsigned value, size_t n, void *stream) {
	CUDASIM_ENTER("cuMemsetD32Async");
	return fill(ctx, to, value, n, stream);
}

CUDASIM_API cuStreamCreate(void **stream, unsigned flags) {
	CUDASIM_ENTER("cuStreamCreate");
	if (flags > 1) return kInvalidValue;
	auto s = std::make_shared<Stream>(&ctx, flags == 0);
	s->start();
	std::lock_guard<std::mutex> lock(ctx.mutex);
	ctx.streams[s.get()] = s;
	*stream = s.get();
	return kSuccess;
}

CUDASIM_API cuStreamDestroy_v2(void *stream) {
	CUDASIM_ENTER("cuStreamDestroy");
	auto s = ctx.stream(stream);
	if (!s || !stream) return kInvalidHandle;
	if (Ticket t = s->tail()) t->wait();
	s->stop();
	std::lock_guard<std::mutex> lock(ctx.mutex);
	return ctx.streams.erase(stream) ? kSuccess : kInvalidHandle;
}

CUDASIM_API cuStreamSynchronize(void *stream) {
	CUDASIM_ENTER("cuStreamSynchronize");
	auto s = ctx.stream(stream);
	if (!s) return kInvalidHandle;
	if (Ticket t = s->tail()) t->wait();
	return ctx.failed;
}

CUDASIM_API cuStreamQuery(void *stream) {
	CUDASIM_ENTER("cuStreamQuery");
	auto s = ctx.stream(stream);
	if (!s) return kInvalidHandle;
	Ticket t = s->tail();
	return t && !t->done() ? kNotReady : ctx.failed.load();
}

CUDASIM_API cuStreamWaitEvent(void *stream, void *event, unsigned) {
	CUDASIM_ENTER("cuStreamWaitEvent");
	auto s = ctx.stream(stream);
	auto e = ctx.event(event);
	if (!s || !e) return kInvalidHandle;
	std::vector<Ticket> after;
	{
		std::lock_guard<std::mutex> lock(e->mutex);
		if (e->ticket) after.push_back(e->ticket);
	}
	ctx.submit(s, [](Runner &) {}, after);
	return kSuccess;
}

CUDASIM_API cuEventCreate(void **event, unsigned flags) {
	CUDASIM_ENTER("cuEventCreate");
	auto e = std::make_shared<Event>();
	e->timed = !(flags & 2); // CU_EVENT_DISABLE_TIMING
	std::lock_guard<std::mutex> lock(ctx.mutex);
	ctx.events[e.get()] = e;
	*event = e.get();
	return kSuccess;
}

CUDASIM_API cuEventDestroy_v2(void *event) {
	CUDASIM_ENTER("cuEventDestroy");
	std::lock_guard<std::mutex> lock(ctx.mutex);
	return ctx.events.erase(event) ? kSuccess : kInvalidHandle;
}

CUDASIM_API cuEventRecord(void *event, void *stream) {
	CUDASIM_ENTER("cuEventRecord");
	auto s = ctx.stream(stream);
	auto e = ctx.event(event);
	if (!s || !e) return kInvalidHandle;
	Ticket t = ctx.submit(s, [](Runner &) {});
	std::lock_guard<std::mutex> lock(e->mutex);
	e->ticket = t;
	return kSuccess;
}

static Ticket recorded(Event &e) {
	std::lock_guard<std::mutex> lock(e.mutex);
	return e.ticket;
}

CUDASIM_API cuEventQuery(void *event) {
	CUDASIM_ENTER("cuEventQuery");
	auto e = ctx.event(event);
	if (!e) return kInvalidHandle;
	Ticket t = recorded(*e);
	return t && !t->done() ? kNotReady : ctx.failed.load();
}

CUDASIM_API cuEventSynchronize(void *event) {
	CUDASIM_ENTER("cuEventSynchronize");
	auto e = ctx.event(event);
	if (!e) return kInvalidHandle;
	if (Ticket t = recorded(*e)) t->wait();
	return ctx.failed;
}

CUDASIM_API cuEventElapsedTime(float *ms, void *first, void *last) {
	CUDASIM_ENTER("cuEventElapsedTime");
	auto a = ctx.event(first), b = ctx.event(last);
	if (!a || !b || !a->timed || !b->timed) return kInvalidHandle;
	Ticket ta = recorded(*a), tb = recorded(*b);
	if (!ta || !tb) return kInvalidHandle;
	if (!ta->done() || !tb->done()) return kNotReady;
	*ms = std::chrono::duration<float, std::milli>(tb->when() - ta->when()).count();
	return kSuccess;
}
