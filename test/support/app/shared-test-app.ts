import { afterAll, onTestFinished } from 'vitest';
import type { Config } from '#server/platform/config.ts';
import { createSecondProcess, createTestApp, type TestApp } from './test-app.ts';
import { makeSignedInUser } from './users.ts';

/** Creates an app and a signed-in admin for all tests of a file; closes the app after the last test. */
export async function openTestApp(env: Record<string, string> = {}, adminEmail = 'admin@example.com') {
	const testApp = await createTestApp(env);
	afterAll(() => testApp.close());
	const { id: adminId, client: admin } = await makeSignedInUser(testApp, adminEmail, 'admin');
	return { testApp, deps: testApp.deps, admin, adminId };
}

/** Creates a second app on the same data, and closes it after the test. */
export async function openSecondProcess(testApp: TestApp, env: Partial<Config> = {}): Promise<TestApp> {
	const secondApp = await createSecondProcess(testApp, env);
	onTestFinished(() => secondApp.close());
	return secondApp;
}
