import { endSession } from '#web/platform/session-end.ts';

/** Why a file is not to be seen. `gone`: deleted, or not this person's; `failed`: the line or the server; `unplayable`: this browser cannot show it. */
export type FileFault = 'gone' | 'failed' | 'unplayable';

/** Asks why the browser could not show a file: a picture or player hears only that it could not. */
export async function findFault(url: string): Promise<FileFault> {
	const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
	if (answer === null || answer.status >= 500 || answer.status === 429) return 'failed';
	if (answer.ok) return 'unplayable';
	if (answer.status === 401) endSession('expiry');
	return answer.status === 401 ? 'failed' : 'gone';
}
