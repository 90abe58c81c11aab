import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
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
import { closeDeps, createDeps } from '#server/start.ts';
import { renderers } from '#web/landing/render.tsx';
import { fastTemporaryFolder } from '../../../scripts/services/memory-disk.mjs';
import { copySqliteDatabase, createPostgresDatabase, testDatabase } from '../services/test-database.ts';
import { environmentOfRun } from '../services/test-storage.ts';
import { fakeDiskSpace, largeDisk } from './disk-space.ts';

type FakeClock = ReturnType<typeof createFakeClock>;

export interface TestApp extends AsyncDisposable {
	app: FastifyInstance;
	deps: Deps;
	clock: FakeClock;
	/** Runs all due jobs and sends all due mails. @returns every mail sent so far, oldest first */
	runDueWork(): Promise<Email[]>;
	close(): Promise<void>;
}

/** Creates an app with its own database and folder or bucket, a fake clock and fake disk space. */
export async function createTestApp(env: Record<string, string> = {}, retryPolicy?: RetryPolicy): Promise<TestApp> {
	const dataDir = await mkdtemp(join(fastTemporaryFolder(2 ** 30), 'folio-test-'));
	const database = testDatabase === 'postgres' ? await createPostgresDatabase() : null;
	await copySqliteDatabase(dataDir);
	const clock = createFakeClock();
	const config = parseConfig({
		DATA_DIR: dataDir,
		SECRET: 'a secret that only tests know',
		PUBLIC_URL: 'http://folio.test',
		...(database && { DATABASE_URL: database.url }),
		...(env.S3_BUCKET === undefined && (await environmentOfRun())),
		...env,
	});
	const testApp = await start(config, clock, retryPolicy);
	const close = async () => {
		await testApp.close();
		await database?.drop();
		await rm(dataDir, { recursive: true, force: true });
	};
	return { ...testApp, close, [Symbol.asyncDispose]: close };
}

/** Creates a second app with the same database, folder and clock: a restarted or second server process. */
export function createSecondProcess({ deps, clock }: TestApp, env: Partial<Config> = {}): Promise<TestApp> {
	return start({ ...deps.config, ...env }, clock);
}

async function start(config: Config, clock: FakeClock, retryPolicy?: RetryPolicy): Promise<TestApp> {
	const log = createLog(process.env.TEST_LOG ?? 'silent');
	const deps = await createDeps(config, { clock, log, patience: retryPolicy });
	// Fake disk space, because tests must not depend on the free space of the machine. An S3 store has no limit.
	if (config.s3 === null) fakeDiskSpace(deps, largeDisk);
	else deps.getDataDiskSpace = async () => largeDisk;
	const app = await buildApp(deps, {
		builtFilesFolder: join(import.meta.dirname, 'web-root'),
		videosFolder: join(import.meta.dirname, '../../../src/web/public/films'),
		shell: { scripts: ['/assets/workspace.js'], styles: [], preloads: [] },
		landing: { scripts: ['/assets/landing.js'], styles: ['/assets/landing.css'] },
		orderScripts: ['/assets/order.js'],
		...renderers,
		// Read at each call, so that a test can let it fail.
		renderLanding: (...input) => renderers.renderLanding(...input),
	});
	await app.ready();
	const sendNextMail = createMailSender(deps);
	const close = async () => {
		await app.close();
		await closeDeps(deps);
	};
	return {
		app,
		deps,
		clock,
		runDueWork: () => runDueWork(deps, sendNextMail),
		close,
		[Symbol.asyncDispose]: close,
	};
}

/** Returns the audit entries about this subject, oldest first; only with this `action` if set. */
export async function listAuditEntries({ deps }: Pick<TestApp, 'deps'>, subjectId: string, action?: string) {
	const query = deps.db.selectFrom('audit').selectAll().where('subject_id', '=', subjectId);
	const entries = await query.orderBy('at').orderBy('id').execute();
	return action === undefined ? entries : entries.filter((entry) => entry.action === action);
}

/** Runs due work, and returns all mails to this address so far, oldest first. */
export async function listMailsTo(testApp: TestApp, email: string) {
	return (await testApp.runDueWork()).filter(({ to }) => to?.[0]?.address === email);
}

/** Returns the token of the set-password link in a mail; '' without a link. */
export const tokenIn = (mail: { text?: string | undefined } | undefined) =>
	/#token=(\S+)/u.exec(mail?.text ?? '')?.[1] ?? '';

async function runDueWork(deps: Deps, sendNextMail: MailSender): Promise<Email[]> {
	for (const lane of ['main', 'pictures', 'documents', 'copies', 'main'] as const)
		while (await runNextJob(deps, jobHandlers, lane));
	while (await mailNextUnread(deps));
	const folder = join(deps.config.DATA_DIR, 'mail');
	while (await sendNextMail()) await readNewMails(folder);
	const present = await readNewMails(folder);
	const mails = [...readMails].filter(([file]) => present.includes(file)).map(([, mail]) => mail);
	// The sort is stable, so mails of the same second stay in the order of sending.
	return mails.sort((a, b) => String(a.date).localeCompare(String(b.date)));
}

/** The mails by file, in the order of sending: `readdir` returns files in any order. */
const readMails = new Map<string, Email>();

async function readNewMails(folder: string): Promise<string[]> {
	const names = await readdir(folder).catch(() => []);
	// A file whose name ends with `.part` is still being written.
	const files = names.filter((name) => name.endsWith('.eml')).map((name) => join(folder, name));
	for (const file of files.toSorted())
		if (!readMails.has(file)) readMails.set(file, await PostalMime.parse(await readFile(file)));
	return files;
}

function createFakeClock() {
	let now = Date.parse('2026-11-20T03:42:00.000Z');
	return {
		now: () => new Date(now),
		advance: (seconds: number) => {
			now += seconds * 1000;
		},
	};
}
