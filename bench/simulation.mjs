/**
 * `node bench/simulation.mjs`: simulates the busiest minutes of one machine for docs/performance.md, beyond the sizes that
 * are measured. Requests are served in order of arrival: sign-ins by the native threads, all others by the main thread.
 * The random numbers have a fixed seed, so that each run prints the same figures.
 */
import { quantile } from './measure/rounds.mjs';

/** Measured on two cores: processor milliseconds of one request by `npm run bench`, sign-ins by bench/limits.mjs. */
const measured = {
	/** Main thread: a page of 50 among 1,000 rows, and how much longer it takes for each tenfold number of rows. */
	pageMs: 0.21,
	pageGrowth: 0.05,
	/** Main thread: a message or another small write with its commit, which SQLite syncs on the main thread. */
	writeMs: 2.5,
	/** Main thread: a page of the book, which is a range of at most 256 KB. */
	bookPageMs: 0.2,
	bookPageBytes: 64_000,
	/** Native threads: a sign-in, of which two cores do 60 a second. */
	signInMs: 33,
	/** Bytes of rows and indexes, by bench/limits.mjs: a user with a file and an order, a file, a message. */
	memberBytes: 2223,
	fileBytes: 768,
	messageBytes: 612,
};

/** Assumed of the members. `busy`: an ordinary busiest minute. `launch`: a mail to all members, which a fifth opens. */
const assumed = {
	filesOfMember: 100,
	messagesOfMember: 20,
	rowsOfHistory: 20,
	busy: {
		pagesPerMember: 3 / 60 / 50,
		writesPerMember: 1 / 60 / 500,
		bookPagesPerMember: 1 / 60 / 1000,
		signInsPerMember: 1 / 600_000,
	},
	launch: perOpening(0.2 / 600, { pages: 12, writes: 1, bookPages: 5, signIns: 0.5 }),
};
const nativeThreads = 2;
const simulatedSeconds = 60;
const members = [1000, 10_000, 100_000, 300_000, 1_000_000];

const random = createRandom(1);
console.log(
	'| situation | members | files | rows and indexes | requests a second | main thread | native threads | page, p50 / p99 | sign-in, p99 | book, MB/s | first limit |',
);
console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |');
for (const situation of ['busy', 'launch']) for (const count of members) console.log(describe(situation, count));

function perOpening(openings, { pages, writes, bookPages, signIns }) {
	return {
		pagesPerMember: openings * pages,
		writesPerMember: openings * writes,
		bookPagesPerMember: openings * bookPages,
		signInsPerMember: openings * signIns,
	};
}

function describe(situation, count) {
	const rates = assumed[situation];
	const files = count * assumed.filesOfMember;
	const pageMs = measured.pageMs * (1 + measured.pageGrowth * Math.max(0, Math.log10(files / 1000)));
	const main = createQueue(1);
	const native = createQueue(nativeThreads);
	const times = { page: [], signIn: [] };
	const requests = [
		...arrivals(rates.pagesPerMember * count, (at) => times.page.push(main.serve(at, pageMs))),
		...arrivals(rates.writesPerMember * count, (at) => main.serve(at, measured.writeMs)),
		...arrivals(rates.bookPagesPerMember * count, (at) => main.serve(at, measured.bookPageMs)),
		...arrivals(rates.signInsPerMember * count, (at) => times.signIn.push(native.serve(at, measured.signInMs))),
	].sort((a, b) => a.at - b.at);
	for (const { at, run } of requests) run(at);
	const bytes =
		count * (measured.memberBytes + (assumed.messagesOfMember + assumed.rowsOfHistory) * measured.messageBytes) +
		files * measured.fileBytes;
	const bookMegabytes = (rates.bookPagesPerMember * count * measured.bookPageBytes) / 1e6;
	const load = { 'main thread': main.utilisation(), 'native threads': native.utilisation() };
	const [[name, share]] = Object.entries(load).sort(([, a], [, b]) => b - a);
	return `| ${[
		situation,
		count.toLocaleString('en'),
		files.toLocaleString('en'),
		`${(bytes / 1e9).toFixed(1)} GB`,
		(requests.length / simulatedSeconds).toFixed(0),
		...Object.values(load).map((value) => `${(value * 100).toFixed(0)} %`),
		`${formatQuantile(times.page, 0.5)} / ${formatQuantile(times.page, 0.99)} ms`,
		`${formatQuantile(times.signIn, 0.99)} ms`,
		bookMegabytes.toFixed(1),
		share > 0.7 ? name : '',
	].join(' | ')} |`;
}

function formatQuantile(values, share) {
	const value = values.length === 0 ? 0 : quantile(values, share);
	return value.toFixed(value < 10 ? 1 : 0);
}

/** Requests of a Poisson process with this rate a second, in milliseconds from the start. */
function arrivals(perSecond, run) {
	const found = [];
	if (perSecond === 0) return found;
	for (let at = 0; ; ) {
		at += (-Math.log(1 - random()) / perSecond) * 1000;
		if (at > simulatedSeconds * 1000) return found;
		found.push({ at, run });
	}
}

/** A queue for several servers, in order of arrival. `serve` returns the milliseconds from the arrival to the end. */
function createQueue(servers) {
	const freeAt = Array(servers).fill(0);
	let busyMs = 0;
	return {
		serve(at, ms) {
			const server = freeAt.indexOf(Math.min(...freeAt));
			const end = Math.max(at, freeAt[server]) + ms;
			freeAt[server] = end;
			busyMs += ms;
			return end - at;
		},
		/** Requested processor time divided by the simulated time of all servers. Above 1 the queue grows. */
		utilisation: () => busyMs / (servers * simulatedSeconds * 1000),
	};
}

/** Numbers from 0 to 1 by mulberry32, the same for the same seed. */
function createRandom(seed) {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
	};
}
