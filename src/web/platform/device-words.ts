import type { Device } from '#contract/core/device.ts';
import { m } from '#messages';

/** `Chrome 131 on Android 14`, or as much of it as is known. */
export function deviceWords({ browser, system }: Device): string {
	if (browser !== null && system !== null) return m.sessions_on({ browser, system });
	return browser ?? system ?? m.sessions_unknown();
}
