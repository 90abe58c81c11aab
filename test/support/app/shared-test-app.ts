import { afterAll, onTestFinished } from 'vitest';
import type { Config } from '#server/platform/config.ts';
import { createSecondProcess, createTestApp, type TestApp } from './test-app.ts';
import { makeSignedInUser } from './users.ts';

/** Creates the app that a file's tests share, with its admin signed in; closes it after the last test. */
export async function openTestApp(env: Record<string, string> = {}, adminEmail = 'admin@example.com') {
	const world = await createTestApp(env);
	afterAll(() => world.close());
	const { id: adminId, client: admin } = await makeSignedInUser(world, adminEmail, 'admin');
	return { world, deps: world.deps, admin, adminId };
}

/** Creates a second app on the same data for one test; closes it after the test. */
export async function openSecondProcess(world: TestApp, env: Partial<Config> = {}): Promise<TestApp> {
	const twin = await createSecondProcess(world, env);
	onTestFinished(() => twin.close());
	return twin;
}
