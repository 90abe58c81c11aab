import { afterAll } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';
import type { HttpClient } from './http.ts';
import { joinWorld } from './people.ts';

/** The app that a file's tests share, with its admin signed in; closed after them. */
export async function openWorld(env: Record<string, string> = {}): Promise<{ world: TestApp; admin: HttpClient }> {
	const world = await createTestApp(env);
	afterAll(() => world.close());
	const { client: admin } = await joinWorld(world, 'admin@example.com', 'admin');
	return { world, admin };
}
