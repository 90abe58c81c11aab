import { generateSync } from 'otplib';
import type { TestApp } from './app.ts';
import type { HttpClient } from './http.ts';
import { testPassword } from './people.ts';

const stepSeconds = 30;

/** What an app with this secret shows at a moment, some steps on. */
export function codeAt(secret: string, now: Date, steps = 0): string {
	return generateSync({ secret, epoch: Math.floor(now.getTime() / 1000) + steps * stepSeconds });
}

/** A person's app and recovery codes. */
export interface Authenticator {
	secret: string;
	recoveryCodes: string[];
	/** The code of this moment, some steps on; lets a step go by first, so that it is unused. */
	nextCode(): string;
}

/** Turns two-factor sign-in on for whoever the client is. */
export async function setUpTwoFactor(
	{ clock }: Pick<TestApp, 'clock'>,
	send: (url: string, body: unknown) => ReturnType<HttpClient['call']>,
): Promise<Authenticator> {
	const begun = await send('/api/two-factor/begin', { password: testPassword });
	const { secret } = begun.json() as { secret: string };
	const confirmed = await send('/api/two-factor/confirm', { code: codeAt(secret, clock.now()) });
	if (confirmed.statusCode !== 200) throw new Error(`two-factor: ${confirmed.statusCode} ${confirmed.body}`);
	const { recoveryCodes } = confirmed.json() as { recoveryCodes: string[] };
	return {
		secret,
		recoveryCodes,
		nextCode() {
			clock.advance(stepSeconds);
			return codeAt(secret, clock.now());
		},
	};
}
