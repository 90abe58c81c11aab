import type { Config } from '#server/platform/config.ts';

/** What an operator does after a move, for a person to read; passwords and keys stay out of it. */
export function nextSteps(from: Pick<Config, 'SECRET'>, to: Config, areFilesShared: boolean): string[] {
	const settings = {
		...(to.DATABASE_URL !== undefined && { DATABASE_URL: withoutPassword(to.DATABASE_URL) }),
		DATA_DIR: to.DATA_DIR,
		...(to.s3 !== null && {
			S3_ENDPOINT: to.s3.endpoint ?? '',
			S3_REGION: to.s3.region,
			S3_BUCKET: to.s3.bucket,
			S3_ACCESS_KEY_ID: to.s3.accessKeyId,
			S3_SECRET_ACCESS_KEY: '…',
		}),
	};
	const leftOut = [...(to.DATABASE_URL === undefined ? ['DATABASE_URL'] : []), ...(to.s3 === null ? ['S3_*'] : [])];
	const secret =
		from.SECRET === undefined
			? `The secret goes along: every machine needs ${to.DATA_DIR}/secret, or its text as SECRET.`
			: 'SECRET stays as it is, on every machine.';
	return [
		'Start the server from now on with:',
		...Object.entries(settings).map(([name, value]) => `  ${name}=${value}`),
		...(leftOut.length > 0 ? [`and without ${leftOut.join(' and ')}.`] : []),
		secret,
		areFilesShared
			? 'The old database is closed: the stored files belong to the new one.'
			: 'The installation that was moved stays as it was; do not start it again beside the new one.',
	];
}

/** Up to the last @ before the host: a password may hold one. */
function withoutPassword(value: string): string {
	return value.replace(/^(postgres(?:ql)?:\/\/[^:@/]+):.*@/u, '$1:…@');
}
