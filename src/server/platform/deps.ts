import type { Secrets } from './auth/secrets.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Connection } from './database/connection.ts';
import type { Db } from './database/schema.ts';
import type { Log } from './log.ts';
import type { Bus } from './realtime/bus.ts';
import type { LiveConnections } from './realtime/live-connections.ts';
import type { DeferredDeleteStorage } from './storage/deferred-delete-storage.ts';
import type { DiskSpace } from './storage/storage.ts';

/** Dependencies of the services, created once at the start and by tests. */
export interface Deps {
	config: Config;
	connection: Connection;
	db: Db;
	clock: Clock;
	log: Log;
	secrets: Secrets;
	storage: DeferredDeleteStorage;
	/** Returns the space on the disk of DATA_DIR, where the embedded database is; cached for one second. */
	getDataDiskSpace(): Promise<DiskSpace>;
	bus: Bus;
	live: LiveConnections;
	/** Wakes the workers for mails and jobs; call after a commit that added work for them. */
	wakeWorkers(): void;
}

/**
 * Connects a lower feature to a value of a higher feature without an import. `registerFeatures` in `registrations.ts`
 * registers the value at the start. `name` is used in the error for a missing value.
 */
export function createRegistration<T>(name: string) {
	let registered: T | undefined;
	const get = () => {
		if (registered === undefined) throw new Error(`Not registered: ${name}.`);
		return registered;
	};
	return Object.assign(get, {
		register(value: T) {
			registered = value;
		},
	});
}
