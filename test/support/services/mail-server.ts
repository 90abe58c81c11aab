import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** Starts an SMTP server on the loopback address that fails on command. Port 0 selects a free port. */
export async function startSmtp(port = 0) {
	const mails: Email[] = [];
	let attempts = 0;
	let refusal: number | null = null;
	let isSignInRefused = false;
	let isUnanswered = false;
	let unanswered: Array<() => void> = [];
	const server = new SMTPServer({
		authOptional: true,
		disabledCommands: ['STARTTLS'],
		onAuth: (_auth, _session, done) =>
			isSignInRefused ? done(new Error('Invalid login')) : done(null, { user: 'folio' }),
		onRcptTo(_address, _session, done) {
			attempts += 1;
			done(refusal === null ? null : Object.assign(new Error('Refused'), { responseCode: refusal }));
		},
		onData(stream, _session, done) {
			const chunks: Buffer[] = [];
			stream.on('data', (chunk: Buffer) => chunks.push(chunk));
			stream.on('end', () => {
				PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
					mails.push(mail);
					if (isUnanswered) unanswered.push(done);
					else done();
				}, done);
			});
		},
	});
	server.on('error', () => {});
	server.listen(port, '127.0.0.1');
	await once(server.server, 'listening');
	const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
	return {
		url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
		mails,
		attempts: () => attempts,
		/** Refuses all recipients with this code from now on; null accepts them again. */
		refuseWith: (code: number | null) => {
			refusal = code;
		},
		refuseSignIn: (isRefused: boolean) => {
			isSignInRefused = isRefused;
		},
		/** With true, accepts mails without confirming them; with false, confirms all these mails. */
		leaveUnanswered: (isOn: boolean) => {
			isUnanswered = isOn;
			if (isOn) return;
			for (const done of unanswered) done();
			unanswered = [];
		},
		stop,
		[Symbol.asyncDispose]: stop,
	};
}
