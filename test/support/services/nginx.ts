import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isHealthySoon } from '../../../scripts/services/built-server.mjs';
import { requireNginx } from '../../../scripts/services/nginx.mjs';
import { endProcess } from '../../../scripts/setup/processes.mjs';

const example = resolve(import.meta.dirname, '../../../deploy/nginx.conf');

/**
 * Configures nginx with deploy/nginx.conf, but on a port of the loopback address and without a certificate.
 * @param storedFiles the folder of the location `/stored-files/`, which the example has in comments
 */
export async function prepareNginx(port: number, processPorts: number[], storedFiles?: string) {
	const site = replacePorts(await readFile(example, 'utf8'), port, processPorts);
	return createNginx(port, storedFiles === undefined ? site : enableStoredFiles(site, storedFiles));
}

/** Configures nginx with the `server` blocks in `site`, one of which answers on this port of the loopback address. */
export async function createNginx(port: number, site: string) {
	const program = await requireNginx();
	const folder = await mkdtemp(join(tmpdir(), 'folio-nginx-'));
	const file = join(folder, 'nginx.conf');
	const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
		(name) => `${name}_temp_path ${join(folder, name)};`,
	);
	const main = `daemon off;\nmaster_process off;\npid ${join(folder, 'pid')};\nevents { worker_connections 8192; }\n`;
	await writeFile(file, `${main}http {\naccess_log off;\n${temporary.join('\n')}\n${site}\n}\n`);
	let child: ChildProcess | undefined;
	const killOnExit = () => child?.kill('SIGKILL');
	process.once('exit', killOnExit);

	const kill = () => endProcess(child, 'SIGKILL');
	return {
		url: `http://127.0.0.1:${port}`,
		pid: () => child?.pid,
		async start() {
			let errorOutput = '';
			child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'pipe'] });
			child.stderr?.on('data', (chunk: Buffer) => {
				if (errorOutput.length < 20_000) errorOutput += chunk.toString('utf8');
			});
			if (!(await isHealthySoon(`http://127.0.0.1:${port}`, child)))
				throw new Error(`nginx does not respond.\n${errorOutput}`);
		},
		kill,
		async close() {
			await kill();
			process.off('exit', killOnExit);
			await rm(folder, { recursive: true, force: true });
		},
	};
}

/** Removes the comment signs of the location `/stored-files/`. @throws Error when the example has no such location */
function enableStoredFiles(text: string, storedFiles: string): string {
	const location = /^\t#location \/stored-files\/ \{\n(?:\t#.*\n)+/mu.exec(text)?.[0];
	if (location === undefined) throw new Error('deploy/nginx.conf has no location /stored-files/.');
	const enabled = location.replaceAll('\t#', '').replace(/alias .*;/u, `alias ${storedFiles}/;`);
	return text.replace(location, () => enabled);
}

/** Replaces the ports of the example configuration. @throws Error when a line to replace is missing */
function replacePorts(text: string, port: number, processPorts: number[]): string {
	let site = text;
	const replace = (pattern: RegExp, text: string) => {
		if (!pattern.test(site)) throw new Error(`deploy/nginx.conf has no text that matches ${pattern}.`);
		site = site.replace(pattern, text);
	};
	const list = (options: string) =>
		processPorts.map((processPort) => `server 127.0.0.1:${processPort} ${options};\n`).join('');
	for (const options of ['max_fails=1 fail_timeout=2s', 'backup max_fails=0'])
		replace(new RegExp(`(?:^\\tserver 127\\.0\\.0\\.1:\\d+ ${options};\\n)+`, 'mu'), list(options));
	// Removes the redirect to https.
	replace(/^server \{\n\tlisten 80;[\s\S]*?^\}\n/mu, '');
	replace(/^\tlisten 443 .*;$/mu, `listen 127.0.0.1:${port};`);
	replace(/(?:^\tssl_certificate.*;\n)+/mu, '');
	return site;
}
