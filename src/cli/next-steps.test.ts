import { expect, test } from 'vitest';
import { parseConfig } from '#server/platform/config.ts';
import { nextSteps } from './next-steps.ts';

const store = {
	S3_ENDPOINT: 'https://store.example',
	S3_BUCKET: 'book',
	S3_ACCESS_KEY_ID: 'key-id',
	S3_SECRET_ACCESS_KEY: 'hidden key',
};

test('nextSteps lists all settings of the new installation and masks the passwords and secret keys', () => {
	const to = parseConfig({
		DATABASE_URL: 'postgres://folio:hidden@word@db.example/folio',
		DATA_DIR: '/data',
		...store,
	});
	const told = nextSteps({ SECRET: undefined }, to, false).join('\n');
	for (const part of [
		'DATABASE_URL=postgres://folio:…@db.example/folio',
		'DATA_DIR=/data',
		'S3_ENDPOINT=https://store.example',
		'S3_REGION=us-east-1',
		'S3_BUCKET=book',
		'S3_ACCESS_KEY_ID=key-id',
		'S3_SECRET_ACCESS_KEY=…',
		'/data/secret',
	])
		expect(told).toContain(part);
	expect(told).not.toMatch(/hidden|word|and without/u);
});

test('nextSteps names the settings to remove and says that a configured SECRET stays', () => {
	const told = nextSteps({ SECRET: 'as it was' }, parseConfig({ DATA_DIR: '/data' }), false);
	expect(told).toContain('and without DATABASE_URL and S3_*.');
	expect(told).toContain('SECRET stays as it is, on every machine.');
});
