import { resolve } from 'node:path';
import { type Config, ConfigError } from '../../../platform/config.ts';
import { parsePostgresHost } from '../../../platform/database/connection.ts';
import { PreconditionError } from '../backup/progress.ts';

/** Command-line arguments of `move`. */
interface MoveArguments {
	/** `postgres://…` or `sqlite:DIR`. */
	to: string;
	/** `s3://BUCKET?endpoint=…&region=…` or a folder. */
	files: string;
}

/**
 * Returns the target's configuration; everything not named stays the same.
 * @throws PreconditionError when an argument is invalid
 */
export function parseMoveTarget(config: Config, { to, files }: MoveArguments): Config {
	const folder = to.startsWith('sqlite:') ? resolve(to.slice('sqlite:'.length)) : null;
	const isPostgres = /^postgres(ql)?:\/\//u.test(to) && parsePostgresHost(to) !== null;
	if (!isPostgres && (folder === null || to === 'sqlite:'))
		throw new PreconditionError('--to must be postgres://USER:PASSWORD@HOST/DATABASE or sqlite:DIR.');
	const s3 = files.startsWith('s3://') ? parseS3Target(config, files) : null;
	const filesIn = s3 === null ? resolve(files) : null;
	if (folder !== null && filesIn !== null && folder !== filesIn)
		throw new PreconditionError(
			'An embedded database and files in a folder lie in one and the same folder: name it twice.',
		);
	return {
		...config,
		DATABASE_URL: isPostgres ? to : undefined,
		DATA_DIR: folder ?? filesIn ?? config.DATA_DIR,
		s3,
	};
}

function parseS3Target(config: Config, address: string): NonNullable<Config['s3']> {
	const url = URL.parse(address);
	if (url === null || url.hostname === '' || !['', '/'].includes(url.pathname))
		throw new PreconditionError('--files must be s3://BUCKET?endpoint=https://…&region=… or a folder.');
	const unknown = [...url.searchParams.keys()].find((name) => !['endpoint', 'region'].includes(name));
	if (unknown !== undefined) throw new PreconditionError(`--files knows endpoint and region, not ${unknown}.`);
	const accessKeyId = decodeURIComponent(url.username) || config.S3_ACCESS_KEY_ID || '';
	const secretAccessKey = decodeURIComponent(url.password) || config.S3_SECRET_ACCESS_KEY || '';
	if (accessKeyId === '' || secretAccessKey === '')
		throw new ConfigError(
			'Set S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY, or write them into the address: s3://KEY:SECRET@BUCKET',
		);
	return {
		endpoint: url.searchParams.get('endpoint') ?? undefined,
		region: url.searchParams.get('region') ?? 'us-east-1',
		bucket: decodeURIComponent(url.hostname),
		accessKeyId,
		secretAccessKey,
	};
}
