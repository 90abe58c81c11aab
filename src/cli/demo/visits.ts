import { type RecordedVisit, writeVisits } from '#server/features/storefront/visits/visit-writer.ts';
import { isoAt } from '#server/platform/clock.ts';
import type { Deps } from '#server/platform/deps.ts';
import { newId } from '#server/platform/ids.ts';
import type { DepsAt } from './sample-data.ts';

const days = 60;
/** Additional visits by days ago: after each post on social media, more visitors come for some days. */
const visitsByPosts: Readonly<Record<number, number>> = {
	3: 70,
	4: 160,
	5: 95,
	18: 60,
	19: 120,
	20: 50,
	41: 80,
	42: 40,
};
const referrers = [
	...Array<string>(9).fill('https://www.instagram.com'),
	...Array<string>(6).fill(''),
	...Array<string>(4).fill('https://www.youtube.com'),
	...Array<string>(2).fill('https://www.google.com'),
	'https://l.facebook.com',
];

/** Seeds visits of 60 days, the same in every run, so that screenshots are comparable. */
export async function seedVisits(at: DepsAt): Promise<void> {
	let brought = 0;
	for (let daysAgo = days; daysAgo >= 0; daysAgo -= 1) {
		const then = at(daysAgo, '09:10');
		const count = 24 + ((daysAgo * 7) % 17) + Math.round((days - daysAgo) / 4) + (visitsByPosts[daysAgo] ?? 0);
		const visits = Array.from({ length: count }, (_visit, index) =>
			visitOf(at(daysAgo, timeOf(index)), brought + index + 1),
		);
		brought += count;
		const buyers = visits.filter((_visit, index) => index % 14 === 0);
		const forms = buyers.map((visit) => ({ ...visit, id: newId(), event: 'form' as const }));
		await writeVisits(then, [...visits, ...forms]);
	}
}

/** Spreads visits over 6:00 to 9:00, because the newest day of the sample ends at 9:30. */
function timeOf(index: number): string {
	return `0${6 + (index % 3)}:${String((index * 13) % 60).padStart(2, '0')}`;
}

function visitOf(then: Deps, number: number): RecordedVisit {
	return {
		id: newId(),
		visited_at: isoAt(then.clock),
		ip: addressOf(number),
		page: number % 3 === 0 ? '/?lang=hi' : '/',
		referrer: referrers[(number * 5) % referrers.length] ?? '',
		kind: 'person',
		event: 'visit',
	};
}

/** Returns an address reserved for documentation (RFC 5737, RFC 3849); some addresses are shared by many visitors. */
function addressOf(number: number): string {
	if (number % 9 === 0) return '203.0.113.40';
	if (number % 5 === 0) return `2001:db8:${(number % 700).toString(16)}::${(number % 3) + 1}`;
	return `${number % 2 === 0 ? '198.51.100' : '192.0.2'}.${1 + ((number * 37) % 250)}`;
}
