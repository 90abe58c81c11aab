import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileMessages } from '../build/messages.mjs';
import { capture, root } from '../setup/processes.mjs';

const markFile = 'made-by-npm-run-demo';

/**
 * Returns the environment of a demo with its data in `folder`, an embedded database and no SMTP server. Its variables
 * are empty, which counts as not set, because `.env` would set variables that are absent.
 */
export function demoEnvironment(folder) {
	const store = ['S3_ENDPOINT', 'S3_REGION', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
	const own = ['DATABASE_URL', 'SMTP_URL', 'ADMIN_EMAIL', 'ADMIN_PASSWORD', 'SECRET', 'X_ACCEL_REDIRECT', ...store];
	return { ...process.env, ...Object.fromEntries(own.map((name) => [name, ''])), DATA_DIR: folder };
}

/**
 * Creates a demo installation in `folder`, in place of an earlier demo. Needs no build, browser or network.
 * @returns {Promise<string>} text that lists the demo's accounts, to be printed
 * @throws Error when the folder contains something other than a demo, or when the seeding fails
 */
export async function seedDemo(node, folder) {
	if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, markFile))) {
		throw new Error(`${folder} is not a demo's folder: nothing was removed.`);
	}
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	await writeFile(join(folder, markFile), 'npm run demo removes this folder and creates it again.\n');
	await compileMessages(node);
	const { code, output } = await capture(node, [join(root, 'src', 'cli', 'demo.ts')], { env: demoEnvironment(folder) });
	if (code !== 0) throw new Error(`The demo's data could not be made.\n${output}`);
	return output.trim();
}
