import { createCredential } from '#server/features/credentials/credentials.service.ts';
import { importCredentials } from '#server/features/credentials/csv-import.ts';
import { searchCredentials } from '#server/features/credentials/lookups.ts';
import type { Caller } from '#server/platform/actor.ts';
import type { Deps } from '#server/platform/deps.ts';
import { visitorFor } from './accounts.ts';
import { type Calendar, depsAt } from './calendar.ts';

/** Records imported from a CSV file, and one record added by hand. */
const table = `username;state;id;password
meera.nair;Kerala;KL-1007;backwater-41
arjun.patil;Gujarat;GJ-1011;salt-desert-7
kavita.rao;Telangana;TS-1012;pearl-market-3
sunil.yadav;Uttar Pradesh;UP-1015;river-bend-88
farah.sheikh;Maharashtra;MH-1019;sea-link-24
deepak.joshi;Uttarakhand;UK-1021;pine-ridge-60
ritu.agarwal;Rajasthan;RJ-1022;blue-city-15
lata.mishra;Odisha;OD-1026;sun-wheel-32
naveen.iyer;Tamil Nadu;TN-1030;temple-bell-9
harpreet.gill;Punjab;PB-1031;mustard-field-2
आशा;गोवा;GA-1033;नारियल-12
`;
const byHand = { username: 'asha.verma', state: 'Maharashtra', id: 'MH-2041', password: 'monsoon-train-5' };

/** Lookups by visitors: username, state, days ago and time of day. */
const asked: ReadonlyArray<readonly [username: string, state: string, daysAgo: number, time: string]> = [
	['meera.nair', 'Kerala', 6, '10:12'],
	['Sunil.Yadav', 'uttar pradesh', 5, '18:40'],
	['ritu.agarwal', 'Gujarat', 3, '09:05'],
	['ritu.agarwal', 'Rajasthan', 3, '09:06'],
	['rohit.k', 'Goa', 2, '22:31'],
	['आशा', 'गोवा', 1, '13:20'],
	['naveen.iyer', 'Tamil Nadu', 1, '19:48'],
	['asha.verma', 'Maharashtra', 0, '08:15'],
];

/** Seeds credentials records and lookups of them by visitors. */
export async function fillCredentials(deps: Deps, calendar: Calendar, admin: Caller): Promise<void> {
	await importCredentials(depsAt(deps, calendar(12, '11:00')), admin, table);
	await createCredential(depsAt(deps, calendar(2, '16:30')), admin, byHand);
	for (const [username, state, daysAgo, time] of asked)
		await searchCredentials(depsAt(deps, calendar(daysAgo, time)), visitorFor(username), { username, state });
}
