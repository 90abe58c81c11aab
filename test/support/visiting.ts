import { type Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { visitsPath } from '#contract/visits/visit-beacon.ts';

/** 10,000 visits a minute, and as few as on a quiet day. */
export const visitsPerSecond = { many: 10_000 / 60, few: 5 };
/** Reads of each page meanwhile. */
export const readsPerSecond = 20;
/** The visits come from this many addresses. */
export const addressCount = 2000;

const userAgent =
	'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/** Calls `begin` at an even rate, however long each call takes, and waits for all of them. */
export async function pace(
	seconds: number,
	perSecond: number,
	begin: (number: number) => Promise<unknown>,
): Promise<void> {
	const startedAt = performance.now();
	const all: Promise<unknown>[] = [];
	const count = Math.round(seconds * perSecond);
	for (let number = 0; number < count; number += 1) {
		const early = startedAt + (number / perSecond) * 1000 - performance.now();
		if (early > 0) await sleep(early);
		all.push(begin(number));
	}
	await Promise.all(all);
}

interface Answer {
	status: number;
	/** Until the whole answer was there. */
	ms: number;
}

/** Sends a visit of the landing page from the address of the visitor with this number. */
export function sendVisit(agent: Agent, url: string, visitor: number): Promise<Answer> {
	const body = JSON.stringify({ event: 'visit', page: '/', referrer: `https://site-${visitor % 9}.example` });
	const headers = { 'content-type': 'application/json', 'content-length': String(body.length) };
	return send(agent, url + visitsPath, { method: 'POST', headers, body, address: visitor % addressCount });
}

/** Reads a page, signed in when there is a cookie. */
export function readPage(agent: Agent, url: string, path: string, cookie?: string): Promise<Answer> {
	return send(agent, url + path, { method: 'GET', headers: { ...(cookie !== undefined && { cookie }) }, address: 0 });
}

interface Sent {
	method: 'GET' | 'POST';
	headers: Record<string, string>;
	body?: string;
	/** The number of the address it comes from, as a proxy says it. */
	address: number;
}

function send(agent: Agent, url: string, { method, headers, body, address }: Sent): Promise<Answer> {
	const more = {
		'user-agent': userAgent,
		'x-forwarded-for': `10.${20 + (address % 8)}.${address >> 8}.${address & 255}`,
	};
	const startedAt = performance.now();
	return new Promise((resolve, reject) => {
		const asked = request(url, { agent, method, headers: { ...headers, ...more } }, (response) => {
			response.resume();
			response.once('error', reject);
			response.once('end', () => resolve({ status: response.statusCode ?? 0, ms: performance.now() - startedAt }));
		});
		asked.once('error', reject);
		asked.end(body);
	});
}
