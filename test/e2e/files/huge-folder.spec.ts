import { type CDPSession, expect } from '@playwright/test';
import { hostJourneys, test } from '../../support/browser/journey.ts';
import { addFolder, runSql } from '../../support/browser/seeding.ts';

const product = hostJourneys();
const count = 100_000;
const longestTaskMs = 100;

/** Inserts nodes into the database of the running product, because so many uploads would take too long. */
async function seedFiles(path: string, kind: 'file' | 'folder'): Promise<void> {
	const isFile = kind === 'file';
	const name = "'page ' || substr(cast(1000000 + n as text), 2) || '.pdf'";
	await runSql(
		product.server,
		`insert into nodes (id, owner_id, parent_id, path, real_path, kind, kind_order, name, name_key, sort_key, ending,
			filter_group, size_bytes, blob_id, created_at, deleted_at)
		with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${count - 1})
		select '${kind}-${path}-' || n, 'guest', (select id from nodes where real_path = '${path}'), '${path}',
			${isFile ? 'null' : 'cast(1000000000000 + n as text)'}, '${kind}', ${isFile ? 1 : 0},
			${name}, ${name}, '1' || ${name}, ${isFile ? "'pdf'" : "''"},
			${isFile ? "'pdf'" : "''"}, ${isFile ? 'n' : 0}, null, '2026-01-01T00:00:00.000Z', null
		from numbers`,
	);
	await runSql(
		product.server,
		'insert into folder_totals (owner_id, path, folders, files, size_bytes) values ($1, $2, $3, $4, $5)',
		['guest', path, isFile ? 0 : count, isFile ? count : 0, isFile ? (count * (count - 1)) / 2 : 0],
	);
}

interface TraceEvent {
	name: string;
	ph: string;
	tid: number;
	pid: number;
	/** Microseconds: `dur` is the elapsed time, which is longer on a busy machine, and `tdur` is the processor time. */
	dur?: number;
	tdur?: number;
	args?: { name?: string };
}

/** Traces the page. @returns a function that ends the trace and returns the longest task of the main thread */
async function traceTasks(cdp: CDPSession): Promise<() => Promise<{ longestMs: number; tasks: number }>> {
	const events: TraceEvent[] = [];
	cdp.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[])));
	await cdp.send('Tracing.start', {
		transferMode: 'ReportEvents',
		traceConfig: { includedCategories: ['toplevel', 'disabled-by-default-devtools.timeline'] },
	});
	return async () => {
		const ended = new Promise((resolve) => cdp.once('Tracing.tracingComplete', resolve));
		await cdp.send('Tracing.end');
		await ended;
		const threads = new Set(
			events
				.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
				.map(({ pid, tid }) => `${pid}/${tid}`),
		);
		const tasks = events.filter(({ name, pid, tid }) => /RunTask$/u.test(name) && threads.has(`${pid}/${tid}`));
		const durationsMs = tasks.map(({ dur = 0, tdur }) => (tdur ?? dur) / 1000);
		return { longestMs: Math.max(0, ...durationsMs), tasks: tasks.length };
	};
}

for (const { kind, view } of [
	{ kind: 'file', view: 'list' },
	{ kind: 'file', view: 'grid' },
	{ kind: 'folder', view: 'list' },
] as const) {
	test(`scrolling to the end of a folder with ${count} nodes causes no long task: ${kind}s in the ${view}`, async ({
		enter,
	}) => {
		const { realPath } = await addFolder(product.owner, 'guest', `Huge ${kind} ${view}`);
		await seedFiles(realPath ?? '', kind);
		const page = await enter({
			signedInAs: 'owner',
			at: `/user/guest?path=${realPath}${view === 'grid' ? '&view=grid' : ''}`,
		});
		await expect(page.getByTitle('page 000000.pdf', { exact: true })).toBeVisible();
		// The page height includes the rows that are not loaded.
		const height = await page.evaluate(() => document.documentElement.scrollHeight);
		const stop = await traceTasks(await page.context().newCDPSession(page));
		await page.evaluate(async () => {
			const steps = 120;
			for (let step = 1; step <= steps; step += 1) {
				window.scrollTo(0, (document.documentElement.scrollHeight * step) / steps);
				await new Promise((resolve) => requestAnimationFrame(resolve));
			}
		});
		await expect(page.locator('[aria-busy="true"]').first()).toBeVisible();
		await expect(page.getByTitle('page 099999.pdf', { exact: true })).toBeVisible();
		const { longestMs, tasks } = await stop();
		test.info().annotations.push({ type: 'longest task', description: `${longestMs.toFixed(1)} ms of ${tasks}` });
		console.log(`${kind}s, ${view}: the longest of ${tasks} tasks took ${longestMs.toFixed(1)} ms`);
		expect(tasks).toBeGreaterThan(100);
		expect(longestMs).toBeLessThanOrEqual(longestTaskMs);
		expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(height);
		expect(await page.locator('[data-row]').count()).toBeLessThan(200);

		// A change by another user reloads only the first page of the folder and the visible rows.
		const requests: string[] = [];
		page.on('request', (request) => void (request.url().includes('/nodes?') && requests.push(request.url())));
		const last = { id: `${kind}-${realPath}-99998`, name: 'page 099998 renamed.pdf' };
		await product.owner.send('POST', `/api/nodes/${last.id}/rename`, { name: last.name });
		await expect(page.getByTitle(last.name, { exact: true })).toBeVisible();
		await expect(page.getByTitle('page 099999.pdf', { exact: true })).toBeVisible();
		console.log(`${kind}s, ${view}: ${requests.length} calls after a change`);
		expect(requests.length).toBeLessThanOrEqual(4);
	});
}
