import { afterAll } from 'vitest';
import type { HttpClient } from './http-client.ts';
import { createTestApp, type TestApp } from './test-app.ts';
import { makeSignedInUser } from './users.ts';

/** Creates the app that a file's tests share, with its admin signed in; closes it after the last test. */
export async function openTestApp(env: Record<string, string> = {}): Promise<{ world: TestApp; admin: HttpClient }> {
	const world = await createTestApp(env);
	afterAll(() => world.close());
	const { client: admin } = await makeSignedInUser(world, 'admin@example.com', 'admin');
	return { world, admin };
}
