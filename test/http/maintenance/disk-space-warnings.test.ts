import { beforeEach, expect, test } from 'vitest';
import { systemCaller } from '#server/features/audit/audit.service.ts';
import { saveMailSettings } from '#server/features/mail/mail-settings.ts';
import { warnOfLowSpace } from '#server/features/maintenance/disk-space-warnings/disk-space-warnings.service.ts';
import { scheduleMaintenance } from '#server/features/maintenance/tasks/tasks.service.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { databaseReserveBytes } from '#server/platform/storage/free-space.ts';
import { unlimitedSpace } from '#server/platform/storage/storage.ts';
import { findRows } from '../../support/app/database-rows.ts';
import { fakeDiskSpace, largeDisk } from '../../support/app/disk-space.ts';
import { openSecondProcess, openTestApp } from '../../support/app/shared-test-app.ts';
import { testDatabase } from '../../support/services/test-database.ts';

const gibibyte = 2 ** 30;
const totalBytes = 60 * gibibyte;

const { testApp, deps } = await openTestApp({}, 'owner@example.com');
beforeEach(async () => {
	await testApp.runDueWork();
	await deps.db.deleteFrom('outbox').execute();
	await deps.db.deleteFrom('jobs').execute();
	await deps.db.deleteFrom('settings').where('key', 'in', ['space-warnings', 'mail']).execute();
	fakeDiskSpace(deps, largeDisk);
});
const setFree = (freeBytes: number) => fakeDiskSpace(deps, { freeBytes, totalBytes });
/** Runs the disk space check with each of these numbers of free bytes. */
async function warnAt(...freeBytes: number[]): Promise<void> {
	for (const bytes of freeBytes) {
		setFree(bytes);
		await warnOfLowSpace(deps);
	}
}
const outbox = async () =>
	(await findRows(deps, 'outbox')).map(({ kind, recipient }) => `${kind} to ${recipient}`).sort();
async function runMaintenanceJobs(): Promise<void> {
	while (await runNextJob(deps, jobHandlers, 'upkeep'));
}

test('mails the owner once when less than a fifth of the disk is free, and again only after a quarter was free', async () => {
	await warnAt(...[12, 11.9, 5, 11.9, 14.9].map((gigabytes) => gigabytes * gibibyte));
	expect(await outbox()).toEqual(['disk-low to owner@example.com']);
	await warnAt(15 * gibibyte, 11.9 * gibibyte);
	expect(await outbox()).toHaveLength(2);
	const [mail] = (await testApp.runDueWork()).slice(-1);
	expect(mail?.subject).toBe("Only 11.9 GB of 60.0 GB are free on your shop's disk");
	expect(mail?.text).toContain('http://folio.test/admin/storage?');
});

test('sends one mail when several processes find too little space at the same time, and no mail after a restart', async () => {
	const secondApp = await openSecondProcess(testApp);
	setFree(gibibyte);
	fakeDiskSpace(secondApp.deps, { freeBytes: gibibyte, totalBytes });
	await Promise.all([testApp, secondApp, testApp, secondApp].map(({ deps }) => warnOfLowSpace(deps)));
	const restarted = await openSecondProcess(testApp);
	fakeDiskSpace(restarted.deps, { freeBytes: gibibyte, totalBytes });
	await warnOfLowSpace(restarted.deps);
	expect(await outbox()).toEqual(['disk-low to owner@example.com']);
});

test('sends a separate mail when the space for purchases is low, and the next such mail only after the whole reserve was free', async () => {
	const warnAtCheckoutSpace = (...mebibytes: number[]) =>
		warnAt(...mebibytes.map((number) => databaseReserveBytes + number * 2 ** 20));
	await warnAtCheckoutSpace(20, 19, 1, 191, 19);
	const both = ['disk-low to owner@example.com', 'purchase-space-low to owner@example.com'];
	expect(await outbox()).toEqual(both);
	await warnAtCheckoutSpace(192, 19);
	expect(await outbox()).toEqual([...both, both[1]]);
});

test('uses the address and language of order mails, also when order mails are turned off', async () => {
	const settings = { isOrderMailed: false, isChatMailed: false, orderMailTo: 'desk@example.com', seller: '' };
	await saveMailSettings(deps, { ...systemCaller, locale: 'hi' }, { ...settings, version: 0 });
	await warnAt(gibibyte);
	expect(await outbox()).toEqual(['disk-low to desk@example.com']);
	const [mail] = (await testApp.runDueWork()).filter(({ to }) => to?.[0]?.address === 'desk@example.com');
	expect(mail?.subject).toMatch(/\p{Script=Devanagari}/u);
});

test('a scheduled task checks the disk space every five minutes', async () => {
	await scheduleMaintenance(deps);
	await runMaintenanceJobs();
	expect(await outbox()).toEqual([]);
	setFree(gibibyte);
	testApp.clock.advance(299);
	await runMaintenanceJobs();
	expect(await outbox()).toEqual([]);
	testApp.clock.advance(1);
	await runMaintenanceJobs();
	expect(await outbox()).toEqual(['disk-low to owner@example.com']);
});

test('checks the disk of SQLite when the files are in an object store, and no disk with PostgreSQL', async () => {
	setFree(gibibyte);
	deps.storage.getDiskSpace = async () => unlimitedSpace;
	await warnOfLowSpace(deps);
	expect(await outbox()).toHaveLength(deps.connection.kind === 'sqlite' ? 1 : 0);
});

test('checks the disks of files and database separately, and each mail contains the sizes of its disk', async () => {
	const mebibyte = 2 ** 20;
	const large = { freeBytes: 3 * gibibyte, totalBytes: 100 * gibibyte };
	const small = { freeBytes: 70 * mebibyte, totalBytes: 2 * gibibyte };
	// With PostgreSQL, only the disk of the files is checked, so that the files must be on the small disk.
	const isEmbedded = testDatabase === 'sqlite';
	deps.storage.getDiskSpace = async () => (isEmbedded ? large : small);
	deps.getDataDiskSpace = async () => small;
	await warnOfLowSpace(deps);
	expect(await outbox()).toEqual(['disk-low to owner@example.com', 'purchase-space-low to owner@example.com']);
	const texts = (await testApp.runDueWork()).slice(-2).map(({ text }) => text ?? '');
	const lead = (start: string) => texts.filter((text) => text.includes(start)).length;
	expect(lead('Only 70 MB of 2.0 GB are free. Uploads')).toBe(1);
	expect(lead(`Only ${isEmbedded ? '3.0 GB of 100.0 GB' : '70 MB of 2.0 GB'} are free. Everything`)).toBe(1);
});
