import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Slow files, which `npm run check` leaves out so that it ends within a minute. They use large files, images, several
 * processes, waits or injected faults, or have to reach a limit. `npm test` runs them.
 */
const notInCheck = [
	'test/repository/{import-rules,sample-book,scripts}.test.ts',
	'test/http/access/access.test.ts',
	'test/http/files/zip-download.test.ts',
	'test/http/accounts/security-races.test.ts',
	'test/http/audit/audit.test.ts',
	'test/http/chat/chat-mail.test.ts',
	'test/http/files/large-folder-copy.test.ts',
	'test/http/credentials/credentials-import.test.ts',
	'test/http/storefront/videos.test.ts',
	'test/http/accounts/imported-logins.test.ts',
	'test/http/platform/leases.test.ts',
	'test/http/mail/mail.test.ts',
	'test/http/platform/many-processes.test.ts',
	'test/http/platform/concurrent-writers.test.ts',
	'test/http/files/move-copy-trash.test.ts',
	'test/http/orders/order-page.test.ts',
	'test/http/orders/statement-import.test.ts',
	'test/http/chat/chat-limits.test.ts',
	'test/http/orders/bulk-completion-and-reports.test.ts',
	'test/http/orders/payment-proofs.test.ts',
	'test/http/orders/duplicate-proofs.test.ts',
	'test/http/orders/checkout.test.ts',
	'test/http/files/audio-recordings.test.ts',
	'test/http/accounts/account-deletion.test.ts',
	'test/http/sharing/access-revocation.test.ts',
	'test/http/platform/stalled-forms.test.ts',
	'test/http/storage/storage-limits.test.ts',
	'test/http/files/thumbnails.test.ts',
	'test/http/accounts/open-requests-after-role-change.test.ts',
	'test/http/storefront/visits.test.ts',
	'test/http/book/reading.test.ts',
	'test/http/platform/data-folder-lock.test.ts',
	'test/http/platform/event-streams.test.ts',
	'test/http/chat/chat-member-details.test.ts',
	'test/http/settings/settings.test.ts',
	'test/http/access/access-table-coverage.test.ts',
	'test/http/files/uploads.test.ts',
	'test/http/book/reading-statistics.test.ts',
	'test/http/chat/chat-files.test.ts',
	'test/http/user-data-export/user-data-export.test.ts',
	'test/http/accounts/user-roles.test.ts',
	'test/http/storefront/storefront.test.ts',
	'test/http/maintenance/integrity-check.test.ts',
	'test/http/chat/canned-replies.test.ts',
	'test/http/chat/chat.test.ts',
	'test/http/chat/chat-search.test.ts',
	'test/http/accounts/two-factor.test.ts',
	'test/http/accounts/sign-in-limits.test.ts',
	'test/http/accounts/impersonation.test.ts',
	'test/http/accounts/user-administration.test.ts',
	'test/http/sharing/sharing.test.ts',
	'test/http/files/files.test.ts',
	'test/http/accounts/sign-in.test.ts',
	'test/http/platform/screens.test.ts',
	'test/http/credentials/credentials.test.ts',
	'test/http/orders/order-management.test.ts',
	'test/http/accounts/sessions.test.ts',
	'test/http/settings/contact-info.test.ts',
	'test/http/platform/boot.test.ts',
	'src/web/ui/pdf/text/pdf-text.test.ts',
];

/**
 * The project `http-heavy`, which only `npm test -- --ci` and `-- --long` run: backup, restore and upgrade of whole
 * installations, watermarked copies, chapter matching, and PDFs with bytes before their header. These files take more than
 * half of the time of all HTTP tests.
 */
const heavyTests = [
	'test/http/maintenance/{backup,restore-elsewhere,upgrade}.test.ts',
	'test/http/book/{watermarked-copies,chapter-matching}.test.ts',
	'test/http/files/prefixed-pdfs.test.ts',
];

/**
 * Files that take minutes each and give the same result on every database. Only FOLIO_TEST_LONG=1, which
 * `npm test -- --long` sets, runs them, and only on SQLite.
 */
const slowest = ['test/http/orders/receipt-fingerprints.test.ts', 'test/http/storage/storage-outage.test.ts'];
const includesSlowest = process.env.FOLIO_TEST_LONG === '1' && process.env.FOLIO_TEST_DB !== 'postgres';

/**
 * Timeouts for a test that hangs and for a poll whose event never comes. They do not check speed: a busy machine takes
 * twenty times as long. A test asserts a promised deadline itself.
 */
const testTimeoutMs = 300_000;
const pollTimeoutMs = 60_000;

/**
 * On SQLite with a disk only one server process can run, and the tests of the S3 store, which start a store themselves,
 * need not be repeated there.
 */
const notOnSqliteAndDisk = [
	'test/http/files/uploads-two-processes.test.ts',
	'test/http/storage/storage-drivers.test.ts',
	'test/http/storage/storage-faults.test.ts',
	'test/http/files/uploads-store-faults.test.ts',
];
const isSqliteOnDisk = process.env.FOLIO_TEST_DB !== 'postgres' && process.env.FOLIO_TEST_STORAGE !== 's3';

const excluded = [
	...(isSqliteOnDisk ? notOnSqliteAndDisk : []),
	...(process.env.FOLIO_TEST_SHORT === '1' ? notInCheck : []),
	...(includesSlowest ? [] : slowest),
];

const httpOptions = {
	// Argon2 at the lowest cost. passwords.test.ts checks the cost that the product uses.
	alias: { '@node-rs/argon2': resolve('test/support/app/quick-argon2.ts') },
	globalSetup: ['test/support/services/test-database.ts', 'test/support/services/test-storage.ts'],
};

/**
 * `unit`: tests beside the code, and the repository tests. `http` and `http-heavy`: tests of the real app in one process, on the
 * database that FOLIO_TEST_DB names (sqlite, the default, or postgres), with files where FOLIO_TEST_STORAGE says (disk,
 * the default, or s3). `npm run check` sets FOLIO_TEST_SHORT.
 */
export default defineConfig({
	test: {
		projects: [
			{
				extends: true,
				test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}', 'test/repository/**/*.test.ts'] },
			},
			{
				extends: true,
				test: { ...httpOptions, name: 'http', include: ['test/http/**/*.test.ts'], exclude: heavyTests },
			},
			{ extends: true, test: { ...httpOptions, name: 'http-heavy', include: heavyTests } },
		],
		exclude: [...configDefaults.exclude, ...excluded],
		environment: 'node',
		// Modules are shared between files, because loading the product again for each file took most of the run. Each file
		// creates its own app, database and folder.
		isolate: false,
		maxWorkers: 2,
		// Generated plain JavaScript in a thousand modules, which Node can load without Vite.
		server: { deps: { external: [/\/src\/messages\/generated\//u] } },
		testTimeout: testTimeoutMs,
		hookTimeout: testTimeoutMs,
		expect: { poll: { timeout: pollTimeoutMs } },
	},
});
