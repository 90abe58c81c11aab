import { createCredential } from '#server/features/credentials/credentials.service.ts';
import { importCredentials } from '#server/features/credentials/csv-import.ts';
import { searchCredentials } from '#server/features/credentials/lookups.ts';
import type { Caller } from '#server/platform/actor.ts';
import { visitorFor } from './accounts.ts';
import { type DepsAt, readSample } from './sample-data.ts';

const byHand = { username: 'asha.verma', state: 'Maharashtra', id: 'MH-2041', password: 'monsoon-train-5' };

const lookups: ReadonlyArray<readonly [username: string, state: string, daysAgo: number, time: string]> = [
	['meera.nair', 'Kerala', 6, '10:12'],
	['Sunil.Yadav', 'uttar pradesh', 5, '18:40'],
	['ritu.agarwal', 'Gujarat', 3, '09:05'],
	['ritu.agarwal', 'Rajasthan', 3, '09:06'],
	['rohit.k', 'Goa', 2, '22:31'],
	['आशा', 'गोवा', 1, '13:20'],
	['naveen.iyer', 'Tamil Nadu', 1, '19:48'],
	['asha.verma', 'Maharashtra', 0, '08:15'],
];

export async function fillCredentials(at: DepsAt, admin: Caller): Promise<void> {
	await importCredentials(at(12, '11:00'), admin, String(await readSample('tables/credentials.csv')));
	await createCredential(at(2, '16:30'), admin, byHand);
	for (const [username, state, daysAgo, time] of lookups)
		await searchCredentials(at(daysAgo, time), visitorFor(username), { username, state });
}
