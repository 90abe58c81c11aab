import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { requireNginx } from '../../../scripts/services/nginx.mjs';

const example = resolve(import.meta.dirname, '../../../deploy/nginx.conf');
const startTimeoutMs = 10_000;

/** A real nginx in front of processes of the product. */
export interface Nginx {
	start(): Promise<void>;
	/** Kills nginx: its port then refuses connections. */
	kill(): Promise<void>;
	/** Ends nginx and removes its files. */
	close(): Promise<void>;
}

/**
 * Prepares nginx with the repository's example configuration (deploy/nginx.conf), in front of processes on the given
 * ports, but on a port of the loopback address instead of 443 and without a certificate.
 */
export async function prepareNginx(port: number, processPorts: number[]): Promise<Nginx> {
	const program = await requireNginx();
	const folder = await mkdtemp(join(tmpdir(), 'folio-nginx-'));
	const site = fillIn(await readFile(example, 'utf8'), port, processPorts);
	const file = join(folder, 'nginx.conf');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${join(folder, name)};`,
	);
	const main = [
		'daemon off;',
		'master_process off;',
		`pid ${join(folder, 'pid')};`,
		'events { worker_connections 8192; }',
	];
	await writeFile(file, [...main, 'http {', 'access_log off;', ...temporary, site, '}', ''].join('\n'));
	let child: ChildProcess | undefined;
	const killWithUs = () => child?.kill('SIGKILL');
	process.once('exit', killWithUs);

	async function kill(): Promise<void> {
		if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
		const ended = once(child, 'exit');
		child.kill('SIGKILL');
		await ended;
	}

	return {
		async start() {
			let said = '';
			const started = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], {
				stdio: ['ignore', 'ignore', 'pipe'],
			});
			child = started;
			started.stderr.on('data', (chunk: Buffer) => {
				if (said.length < 20_000) said += chunk.toString('utf8');
			});
			const giveUpAt = performance.now() + startTimeoutMs;
			while (!(await answers(port))) {
				const isGone = started.exitCode !== null || started.signalCode !== null;
				if (isGone || performance.now() > giveUpAt) throw new Error(`nginx does not answer.\n${said}`);
				await sleep(20);
			}
		},
		kill,
		async close() {
			await kill();
			process.off('exit', killWithUs);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Fills the ports of a test into the example configuration. @throws Error when a line to replace is missing */
function fillIn(text: string, port: number, processPorts: number[]): string {
	let site = text;
	const replace = (what: RegExp, by: string) => {
		if (!what.test(site)) throw new Error(`deploy/nginx.conf has no ${what} to be filled in.`);
		site = site.replace(what, by);
	};
	const list = (how: string) => processPorts.map((each) => `server 127.0.0.1:${each} ${how};\n`).join('');
	for (const how of ['max_fails=1 fail_timeout=2s', 'backup max_fails=0'])
		replace(new RegExp(`(?:^\\tserver 127\\.0\\.0\\.1:\\d+ ${how};\\n)+`, 'mu'), list(how));
	// The redirect to https is not needed here.
	replace(/^server \{\n\tlisten 80;[\s\S]*?^\}\n/mu, '');
	replace(/^\tlisten 443 .*;$/mu, `listen 127.0.0.1:${port};`);
	replace(/(?:^\tssl_certificate.*;\n)+/mu, '');
	return site;
}

async function answers(port: number): Promise<boolean> {
	const answer = await fetch(`http://127.0.0.1:${port}/healthz`).catch(() => null);
	await answer?.arrayBuffer();
	return answer?.ok === true;
}
