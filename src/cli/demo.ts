import { join } from 'node:path';
import { ConfigError, parseConfig } from '#server/platform/config.ts';
import { closeDeps, createDeps } from '#server/start.ts';
import { demoPassword } from './demo/accounts.ts';
import { seedDemo, statementFile } from './demo/seed.ts';

/** `node src/cli/demo.ts`: fills the empty installation that the environment selects, and prints its accounts. */
async function main(): Promise<void> {
	// The demo sends no mail, because the buyers' addresses look real. First passwords are random.
	const config = parseConfig({ ...process.env, SMTP_URL: '', BUYER_PASSWORD: 'random' });
	const deps = await createDeps({ ...config, LOG_LEVEL: 'warn', RATE_LIMIT_FACTOR: 100 });
	try {
		const signIns = await seedDemo(deps);
		console.log(`\nSign in as (password ${demoPassword} for everybody):`);
		for (const { email, what } of signIns) console.log(`  ${email.padEnd(24)}  ${what}`);
		console.log(`A bank's statement to import at /Bookdashboard: ${join(config.DATA_DIR, statementFile)}`);
		console.log('Two-factor sign-in is off for everybody; turn it on at /account.');
	} finally {
		await closeDeps(deps);
	}
}

main().then(
	() => process.exit(0),
	(error: unknown) => {
		console.error(error instanceof ConfigError ? error.message : error);
		process.exit(1);
	},
);
