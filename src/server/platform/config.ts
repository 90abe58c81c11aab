import { resolve } from 'node:path';
import * as z from 'zod';
import packageJson from '../../../package.json' with { type: 'json' };
import { parsePoolSize, parsePostgresHost } from './database/connection.ts';
import type { S3Settings } from './storage/s3/s3-client.ts';

export const version: string = packageJson.version;

const trimmedText = z.string().trim();

function optional<T extends z.ZodType>(schema: T) {
	return z.preprocess((value) => (value === '' ? undefined : value), schema.optional());
}

function withDefault<T extends z.ZodType>(schema: T, value: z.output<T>) {
	return z.preprocess(
		(input) => (input === '' ? undefined : input),
		schema.default(() => value as z.core.util.NoUndefined<z.output<T>>),
	);
}

const httpOrigin = trimmedText.refine((value) => {
	const url = URL.parse(value);
	return url !== null && /^https?:$/u.test(url.protocol) && url.pathname === '/' && url.search === '';
}, 'must be an http(s) address without a path');

const httpAddress = trimmedText.refine((value) => {
	const url = URL.parse(value);
	return url !== null && /^https?:$/u.test(url.protocol) && url.search === '' && url.hash === '';
}, 'must be an http(s) address');

const timeZone = trimmedText.refine((value) => {
	try {
		return Boolean(new Intl.DateTimeFormat('en-IN', { timeZone: value }));
	} catch {
		return false;
	}
}, 'must be an IANA time zone such as Asia/Kolkata');

/** Whether host, user and password of an SMTP URL can be read; an unencoded / or # would end the host's part early. */
function isSmtpUrl(value: string): boolean {
	const url = URL.parse(value);
	if (url === null || url.hostname === '' || url.hash !== '' || !/^\/?$/u.test(url.pathname)) return false;
	try {
		decodeURIComponent(`${url.username}${url.password}`);
	} catch {
		return false;
	}
	return !url.search.includes('@');
}

const portError = 'must be a whole number from 0 to 65535';
const isPort = (value: number) => Number.isInteger(value) && value >= 0 && value <= 65_535;

/** Environment variables; see docs/operations.md. An empty value is the same as no value. */
const environment = z.object({
	HOST: withDefault(trimmedText, '127.0.0.1'),
	PORT: withDefault(z.coerce.number(portError).refine(isPort, portError), 3000),
	PUBLIC_URL: optional(httpOrigin),
	DATA_DIR: withDefault(trimmedText, './data'),
	DATABASE_URL: optional(
		trimmedText
			.regex(/^postgres(ql)?:\/\//u, { error: 'must start with postgres://', abort: true })
			.refine((url) => parsePostgresHost(url) !== null, {
				error:
					'must have the form postgres://USER:PASSWORD@HOST:PORT/DATABASE; in the password, / is written as %2F and # as %23',
				abort: true,
			})
			.refine((url) => parsePoolSize(url) !== null, 'must have a whole number from 2 to 200 as pool_size'),
	),
	S3_ENDPOINT: optional(httpAddress),
	S3_REGION: optional(trimmedText),
	S3_BUCKET: optional(trimmedText),
	S3_ACCESS_KEY_ID: optional(trimmedText),
	S3_SECRET_ACCESS_KEY: optional(trimmedText),
	SMTP_URL: optional(
		trimmedText
			.regex(/^smtps?:\/\//u, { error: 'must start with smtp:// or smtps://', abort: true })
			.refine(
				isSmtpUrl,
				'must have the form smtps://USER:PASSWORD@HOST:PORT; in user and password, @ is written as %40, / as %2F, # as %23, ? as %3F and % as %25',
			),
	),
	MAIL_FROM: optional(trimmedText),
	ADMIN_EMAIL: optional(trimmedText.regex(/^[^\s@]+@[^\s@]+$/u, 'must be an email address')),
	ADMIN_PASSWORD: optional(z.string().min(6, 'must have at least 6 characters')),
	TRUST_PROXY: withDefault(trimmedText, ''),
	SECRET: optional(z.string().min(16, 'must have at least 16 characters')),
	PREVIOUS_SECRET: optional(z.string()),
	LOG_LEVEL: withDefault(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
	TIME_ZONE: withDefault(timeZone, 'Asia/Kolkata'),
	BUYER_PASSWORD: withDefault(z.enum(['random', 'name']), 'random'),
	RATE_LIMIT_FACTOR: withDefault(z.coerce.number().min(0.1).max(1_000_000), 1),
	X_ACCEL_REDIRECT: optional(
		trimmedText.regex(/^(?:\/[\w-]+)+$/u, 'must be the path of a location of nginx, such as /stored-files'),
	),
	METRICS_TOKEN: optional(trimmedText.min(8, 'must have at least 8 characters')),
});

export type Environment = z.infer<typeof environment>;

/** Settings from the environment; settings that the owner changes in the interface are in the database. */
export interface Config extends Omit<Environment, 'DATA_DIR' | 'PUBLIC_URL'> {
	DATA_DIR: string;
	/** Origin of links in mails; default: the address that the process listens on. */
	PUBLIC_URL: string;
	/** The S3 store of the files; null when the files are in DATA_DIR. */
	s3: S3Settings | null;
	isSecure: boolean;
	/** Printed for the operator at the start; null if there is nothing to print. */
	startNotice: string | null;
}

const noPublicUrlNotice =
	'PUBLIC_URL is not set: on other devices, pages open, but signing in and ordering fail. Set it to the address that they use.';

/** Thrown when the server cannot start for a reason that the operator has to fix; the message is one line. */
export class ConfigError extends Error {
	override name = 'ConfigError';
}

/** Parses the environment; called once at the start. @throws ConfigError with every invalid variable */
export function parseConfig(env: Record<string, string | undefined>): Config {
	const parsed = environment.safeParse(env, { jitless: true });
	if (!parsed.success) {
		const problems = parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`);
		throw new ConfigError(`Invalid settings: ${problems.join('; ')}.`);
	}
	const values = parsed.data;
	const s3 = s3Of(values);
	if (s3 !== null && values.X_ACCEL_REDIRECT !== undefined) {
		throw new ConfigError(
			'Invalid settings: with X_ACCEL_REDIRECT nginx sends files of DATA_DIR, but S3_BUCKET is set. Remove one of them.',
		);
	}
	// As browsers write it in `Origin`: in lower case and without the usual port.
	const address = values.PUBLIC_URL ?? `http://${hostInUrl(values.HOST)}:${values.PORT}`;
	const publicUrl = URL.parse(address)?.origin ?? address;
	return {
		...values,
		DATA_DIR: resolve(values.DATA_DIR),
		PUBLIC_URL: publicUrl,
		s3,
		isSecure: publicUrl.startsWith('https:'),
		startNotice: needsPublicUrl(values) ? noPublicUrlNotice : null,
	};
}

/** Whether users on other devices can open pages although the address that they use is not set. */
function needsPublicUrl(values: Environment): boolean {
	return values.PUBLIC_URL === undefined && (isWildcardHost(values.HOST) || hasProxy(values));
}

export function hasProxy({ TRUST_PROXY }: Pick<Environment, 'TRUST_PROXY'>): boolean {
	return TRUST_PROXY !== '' && TRUST_PROXY !== 'false';
}

/** Whether the server listens on every address of the machine. */
function isWildcardHost(host: string): boolean {
	return host === '0.0.0.0' || host === '::';
}

function hostInUrl(host: string): string {
	if (isWildcardHost(host)) return '127.0.0.1';
	return host.includes(':') ? `[${host}]` : host;
}

/** Returns the settings of the S3 store; null if none are set. @throws ConfigError with the missing settings */
function s3Of(values: Environment): S3Settings | null {
	const { S3_ENDPOINT, S3_REGION, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = values;
	const required = { S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
	const present = Object.entries({ S3_ENDPOINT, S3_REGION, ...required }).filter(([, value]) => value !== undefined);
	if (present.length === 0) return null;
	if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
		const missing = Object.entries(required).filter(([, value]) => value === undefined);
		throw new ConfigError(
			`Missing settings: ${namesOf(missing)} (an S3 store needs them; these are set: ${namesOf(present)}).`,
		);
	}
	return {
		endpoint: S3_ENDPOINT,
		region: S3_REGION ?? 'us-east-1',
		bucket: S3_BUCKET,
		accessKeyId: S3_ACCESS_KEY_ID,
		secretAccessKey: S3_SECRET_ACCESS_KEY,
	};
}

function namesOf(settings: ReadonlyArray<readonly [name: string, value: unknown]>): string {
	return settings.map(([name]) => name).join(', ');
}
