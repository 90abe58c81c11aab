import { createLengthCheck, runHttpLoad, serveSeeded, stopAll } from '../measure/seed-and-load.mjs';

/** Seconds of load before the measurement, in which connections are opened and code is compiled. */
const warmUpSeconds = 0.3;
const orders = '/api/orders?limit=50';
const users = '/api/users?limit=12';
const searches = {
	nobody: 'that finds none',
	search: 'that finds 50',
	broad: 'that finds nearly all',
	short: 'of 2 characters',
};
const jsonOf = async (url, cookie) => (await fetch(url, { headers: { cookie } })).json();

/**
 * Comparisons of the product with much and with little data. The rows shown are the same in both, so that the bodies
 * have the same length. `seed-<name>.ts` fills the installations.
 * - `counts`: the number of rows on each side; the first is compared with the second. `least`: the first number for
 *   `--once`.
 * - `findPages`: the paths of the pages by name. `itemsOf`: the number of rows of a page, 50 by default; undefined for a
 *   page that is not a list.
 * - `rows`: a label for each page; `<page>P95` is the page's 95th percentile, `<page>Lag` the longest time in ms for
 *   which the event loop was blocked.
 */
export const comparisons = {
	/** The admin dashboard; every user has a file and an order. */
	users: {
		counts: { many: 10_000, few: 100 },
		least: 1000,
		what: 'users',
		findPages: () => ({
			first: users,
			search: `${users}&search=meera.na`,
			nobody: `${users}&search=nobody-at-all`,
			admins: `${users}&role=admin`,
		}),
		itemsOf: (page) => ({ nobody: 0, admins: 1 })[page] ?? 12,
		rows: {
			first: 'first page of 12 users',
			search: 'search that finds 12',
			nobody: 'search that finds none',
			admins: 'the admins',
		},
	},
	/** One folder: the first, second and middle page, a type filter and another sort order. */
	files: {
		counts: { many: 100_000, few: 1000 },
		least: 2000,
		what: 'files in one folder',
		seconds: 3,
		/** Reads all pages up to the middle page, like a user. */
		async findPages({ url, cookie, seeded, count }) {
			const list = `/api/spaces/guest/nodes?path=${seeded.path}`;
			const nextOf = async (path) => (await jsonOf(url + path, cookie)).nextCursor;
			let middle;
			for (let passed = 0; passed < count / 2; passed += 500)
				middle = await nextOf(`${list}&limit=500${middle === undefined ? '' : `&cursor=${middle}`}`);
			const first = `${list}&limit=50`;
			return {
				first,
				next: `${first}&cursor=${await nextOf(first)}`,
				middle: `${first}&cursor=${middle}`,
				images: `${first}&type=images`,
				newest: `${first}&sort=date&order=desc`,
			};
		},
		rows: {
			first: 'first page of 50 files',
			next: 'the next page',
			middle: 'a page in the middle',
			images: 'only images',
			newest: 'the newest files',
		},
	},
	/** Listing a folder 20 levels below a share, as a member with many shares and as a member with one. */
	shares: {
		counts: { thousand: 1000, one: 1 },
		what: 'shares, 20 levels deep',
		seconds: 3,
		figure: 'perSecond',
		connections: 4,
		async findPages({ url, cookie, seeded }) {
			const first = `/api/shared/${seeded.folderId}/nodes?limit=50`;
			const { nextCursor } = await jsonOf(url + first, cookie);
			return { first, next: `${first}&cursor=${nextCursor}`, search: `${first}&search=file-01` };
		},
		rows: { first: 'first page of 50 files', next: 'the next page', search: 'a search in the shared folder' },
	},
	/** A member's list of shares: 1,000 shares of four groups with 10,000 members, and 1,000 shares of the member's own. */
	'group-shares': {
		counts: { groups: 4, direct: 0 },
		what: 'groups with 10,000 members and 1,000 shares',
		seconds: 3,
		figure: 'perSecond',
		connections: 4,
		async findPages({ url, cookie }) {
			const first = '/api/shared?limit=50';
			const { nextCursor } = await jsonOf(url + first, cookie);
			return { first, next: `${first}&cursor=${nextCursor}`, newest: `${first}&sort=date&order=desc` };
		},
		rows: { first: 'first page of 50 shares', next: 'the next page', newest: 'the newest files' },
	},
	/** Order management: searches that find 50, nearly all and no orders, and how long each blocks the event loop. */
	orders: {
		counts: { many: 100_000, few: 1000 },
		least: 2000,
		what: 'orders',
		findPages: () => ({
			first: orders,
			pending: `${orders}&status=Pending`,
			search: `${orders}&search=meera.na`,
			broad: `${orders}&search=someone`,
			nobody: `${orders}&search=nobody-at-all`,
			short: `${orders}&search=zq`,
		}),
		itemsOf: (page) => (page === 'nobody' || page === 'short' ? 0 : 50),
		rows: {
			first: 'first page of 50 orders',
			pending: 'the Pending orders',
			...Object.fromEntries(
				Object.entries(searches).flatMap(([page, what]) =>
					['', 'P95', 'Lag'].map((figure) => [page + figure, `search ${what}`]),
				),
			),
		},
	},
	/** The inbox with an open conversation, which has `counts` messages, and the previous page of its messages. */
	chat: {
		counts: { many: 100_000, few: 100 },
		least: 1000,
		what: 'messages',
		findPages: ({ seeded: { talker } }) => ({
			messages: `/api/chats/${talker}/messages?limit=50`,
			older: `/api/chats/${talker}/messages?limit=50&before=99971`,
			list: '/api/chats?limit=50',
			unread: '/api/chat-unread',
		}),
		itemsOf: (page) => (page === 'unread' ? undefined : 50),
		rows: {
			messages: 'newest 50 messages with the state',
			older: '50 older messages',
			list: "owner's list of 50 conversations",
			unread: 'unread count',
		},
	},
};

export const prepareMoreData = (name) => (bench) => prepare(bench, name, comparisons[name]);

async function prepare(bench, area, comparison) {
	const { node, form } = bench;
	const { findPages, itemsOf = () => 50, rows, what, figure = 'p50Ms', connections = 1, least } = comparison;
	const [[first, most], [second, few]] = Object.entries(comparison.counts);
	const counts = { [first]: form === 'once' ? (least ?? most) : most, [second]: few };
	const full = comparison.seconds ?? 1.5;
	const seconds = { full, short: full / 3, once: 0.1 }[form];
	const sides = {};
	for (const [name, count] of Object.entries(counts)) {
		const { seeded, server } = await serveSeeded(bench, `${area}-${name}`, [`seed-${area}.ts`, count]);
		const cookie = `folio_session=${seeded.token}`;
		sides[name] = { server, cookie, pages: await findPages({ url: server.url, cookie, seeded, count }) };
	}
	const bodyBytes = await requireEqualBodies(sides, itemsOf);
	const unitOf = (page) => {
		if (figure === 'perSecond') return 'requests per second';
		return page.endsWith('Lag') ? 'longest event-loop lag, ms' : page.endsWith('P95') ? 'p95, ms' : 'p50, ms';
	};
	return {
		contestants: Object.keys(counts),
		rows: Object.entries(rows).map(([page, label]) => [`${label}, ${unitOf(page)}`, page, figure === 'p50Ms' ? 3 : 0]),
		note:
			`${counts[first]} ${what} compared with ${few}; ${connections} connection${connections === 1 ? '' : 's'} for ${seconds} s a row; ` +
			`bodies of ${Object.values(bodyBytes).join(', ')} bytes from both.`,
		async measure(name) {
			const { server, cookie, pages } = sides[name];
			const figures = {};
			for (const [page, path] of Object.entries(pages)) {
				const request = { url: server.url, path, headers: { cookie }, connections, bodyBytes: bodyBytes[page] };
				if (form !== 'once') await runHttpLoad(node, { ...request, seconds: warmUpSeconds });
				await longestLag(server.url);
				const answer = await runHttpLoad(node, { ...request, seconds });
				figures[page] = answer[figure];
				figures[`${page}P95`] = answer.p95Ms;
				figures[`${page}Lag`] = await longestLag(server.url);
			}
			return figures;
		},
		close: () => stopAll(Object.values(sides).map(({ server }) => server)),
	};
}

/** Sampling interval of the server's event-loop monitor (perf_hooks.monitorEventLoopDelay), included in its values. */
const lagResolutionMs = 10;

/** @returns the longest time that the server's event loop was blocked since the last call, in ms */
async function longestLag(url) {
	const metrics = await (await fetch(`${url}/metrics`)).text();
	const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/mu.exec(metrics) ?? [];
	return Math.max(0, Number(seconds) * 1000 - lagResolutionMs);
}

async function requireEqualBodies(sides, itemsOf) {
	const lengths = {};
	const check = createLengthCheck();
	for (const [name, { server, cookie, pages }] of Object.entries(sides)) {
		for (const [page, path] of Object.entries(pages)) {
			const response = await fetch(server.url + path, { headers: { cookie } });
			const body = await response.text();
			if (response.status !== 200) throw new Error(`${name} answers ${response.status} to ${path}.`);
			const length = JSON.parse(body).items?.length;
			if (length !== itemsOf(page)) throw new Error(`${name} answers ${length} rows to ${page}.`);
			check.require(`body of ${page}`, name, body);
			lengths[page] = Buffer.byteLength(body);
		}
	}
	return lengths;
}
