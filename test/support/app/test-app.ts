import { existsSync, statfsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import PostalMime, { type Email } from 'postal-mime';
import { buildApp } from '#server/app.ts';
import { mailNextUnread } from '#server/features/chat/mail-notifications/mail-notifications.service.ts';
import { createMailSender, type MailSender } from '#server/features/mail/outbox/mail-sender.ts';
import { jobHandlers } from '#server/job-handlers.ts';
import { type Config, parseConfig } from '#server/platform/config.ts';
import type { Deps } from '#server/platform/deps.ts';
import { runNextJob } from '#server/platform/jobs/jobs.ts';
import { createLog } from '#server/platform/log.ts';
import type { RetryPolicy } from '#server/platform/storage/s3/s3-client.ts';
import { createDeps } from '#server/start.ts';
import { renderers } from '#web/landing/render.tsx';
import { createPostgresDatabase, testDatabase } from '../services/test-database.ts';
import { environmentOfRun } from '../services/test-storage.ts';
import { fakeDiskSpace, largeDisk } from './disk-space.ts';

/** A clock that stands still until it is told otherwise. */
export interface FakeClock {
	now(): Date;
	advance(seconds: number): void;
}

export interface TestApp {
	app: FastifyInstance;
	deps: Deps;
	clock: FakeClock;
	/** Runs jobs and sends mails until nothing is due. @returns every mail kept so far, oldest first */
	runDueWork(): Promise<Email[]>;
	close(): Promise<void>;
}

const memoryDisk = '/dev/shm';
const wantedBytes = 2 ** 30;

/** Nothing here cuts the power: where there is a memory disk with room, no test waits for a disk to sync. */
const testRoot = hasFreeSpace(memoryDisk) ? memoryDisk : tmpdir();

function hasFreeSpace(folder: string): boolean {
	if (!existsSync(folder)) return false;
	const { bavail, bsize } = statfsSync(folder);
	return bavail * bsize >= wantedBytes;
}

/** The real app on a database and a folder or bucket of its own; only the clock is fake. */
export async function createTestApp(env: Record<string, string> = {}, retryPolicy?: RetryPolicy): Promise<TestApp> {
	const dataDir = await mkdtemp(join(testRoot, 'folio-test-'));
	const database = testDatabase === 'postgres' ? await createPostgresDatabase() : null;
	const clock = createFakeClock();
	const config = parseConfig({
		DATA_DIR: dataDir,
		SECRET: 'a secret that only tests know',
		PUBLIC_URL: 'http://folio.test',
		...(database && { DATABASE_URL: database.url }),
		...(env.S3_BUCKET === undefined && (await environmentOfRun())),
		...env,
	});
	const test = await start(config, clock, retryPolicy);
	return {
		...test,
		async close() {
			await test.close();
			await database?.drop();
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}

/** Another process on the same database, folder and clock: what a restart finds, or a second server beside the first. */
export function createSecondProcess({ deps, clock }: TestApp, env: Partial<Config> = {}): Promise<TestApp> {
	return start({ ...deps.config, ...env }, clock);
}

async function start(config: Config, clock: FakeClock, retryPolicy?: RetryPolicy): Promise<TestApp> {
	const log = createLog(process.env.TEST_LOG ?? 'silent');
	const deps = await createDeps(config, { clock, log, patience: retryPolicy });
	// A store is unlimited; on a disk, no test depends on what the machine has left.
	if (config.s3 === null) fakeDiskSpace(deps, largeDisk);
	else deps.getDataDiskSpace = async () => largeDisk;
	const app = await buildApp(deps, {
		builtFilesFolder: join(import.meta.dirname, 'web-root'),
		videosFolder: join(import.meta.dirname, '../../../src/web/public/films'),
		shell: { scripts: ['/assets/workspace.js'], styles: [], preloads: [] },
		landing: { scripts: ['/assets/landing.js'], styles: ['/assets/landing.css'] },
		orderScripts: ['/assets/order.js'],
		...renderers,
	});
	await app.ready();
	const sendNextMail = createMailSender(deps);
	return {
		app,
		deps,
		clock,
		runDueWork: () => runDueWork(deps, sendNextMail),
		async close() {
			await app.close();
			await deps.bus.close();
			await deps.storage.close();
			await deps.connection.close();
		},
	};
}

async function runDueWork(deps: Deps, sendNextMail: MailSender): Promise<Email[]> {
	for (const lane of ['main', 'pictures', 'copies', 'main'] as const) while (await runNextJob(deps, jobHandlers, lane));
	while (await mailNextUnread(deps));
	const folder = join(deps.config.DATA_DIR, 'mail');
	while (await sendNextMail()) await listMailFiles(folder);
	const files = await listMailFiles(folder);
	const mails = await Promise.all(files.map(readMail));
	// Of the same second, as the clock stands still, the one that was sent first comes first.
	return mails.sort((a, b) => String(a.date).localeCompare(String(b.date)));
}

const mailSequence = new Map<string, number>();

/** The mails kept in a folder, in the order in which they were noticed: a folder is listed in no order of its own. */
async function listMailFiles(folder: string): Promise<string[]> {
	const files = (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
	for (const file of files.toSorted()) if (!mailSequence.has(file)) mailSequence.set(file, mailSequence.size);
	return files.sort((a, b) => (mailSequence.get(a) ?? 0) - (mailSequence.get(b) ?? 0));
}

const readMails = new Map<string, Promise<Email>>();

/** Reads a kept mail once: it never changes, and a file of many tests asks for all of them again and again. */
function readMail(file: string): Promise<Email> {
	const known = readMails.get(file) ?? readFile(file).then((source) => PostalMime.parse(source));
	readMails.set(file, known);
	return known;
}

function createFakeClock(): FakeClock {
	let now = Date.parse('2026-11-20T03:42:00.000Z');
	return {
		now: () => new Date(now),
		advance: (seconds) => {
			now += seconds * 1000;
		},
	};
}
