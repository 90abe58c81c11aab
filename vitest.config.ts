import { resolve } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';

/**
 * Files that `npm run check` leaves out, so that it ends within a minute; `npm test` runs them. They are the slow ones: large
 * bytes, pictures, many processes, waits, planted faults, limits that have to be reached, whole installations.
 */
const long = [
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
	'src/web/ui/pdf/text/pdf-text.test.ts',
	// These need the S3 store.
	'test/http/storage/storage-drivers.test.ts',
	'test/http/storage/storage-faults.test.ts',
	'test/http/files/uploads-store-faults.test.ts',
];

/**
 * The project `http-heavy`, which `npm test -- --ci` runs and `npm test` does not: whole installations backed up, moved and
 * upgraded, and the marking and reading of large PDFs. They take more than half of the time of all HTTP tests.
 */
const heavy = [
	'test/http/maintenance/{backup,move-installation,upgrade}.test.ts',
	'test/http/book/{watermarked-copies,chapter-matching}.test.ts',
	'test/http/files/prefixed-pdfs.test.ts',
];

/** Minutes each, of pictures and of a store's outage, whatever the database: once, in `npm test -- --long`, or with FOLIO_TEST_LONG=1. */
const longest = ['test/http/orders/receipt-fingerprints.test.ts', 'test/http/storage/storage-outage.test.ts'];
const isLong = process.env.FOLIO_TEST_LONG === '1' && process.env.FOLIO_TEST_DB !== 'postgres';

const isOnStore = process.env.FOLIO_TEST_STORAGE === 's3';

/**
 * When a test that hangs is given up, and one that waits for an event which never comes. Neither judges how quick anything is:
 * a machine that does other work takes twenty times as long. A promised deadline is asserted by the test itself.
 */
const hangsAfterMs = 300_000;
const eventComesWithinMs = 60_000;

/** With the embedded database and a folder there is one server, and nothing to agree about. */
const ofMany = ['test/http/files/uploads-two-processes.test.ts'];
/** They start a store of their own wherever they run: once is enough. */
const ofStores = [
	'test/http/storage/storage-drivers.test.ts',
	'test/http/storage/storage-faults.test.ts',
	'test/http/files/uploads-store-faults.test.ts',
];
const isAlone = process.env.FOLIO_TEST_DB !== 'postgres' && !isOnStore;

/** Whole installations, there and back: on a store every file is a request, and they take minutes. With FOLIO_TEST_LONG=1. */
const ofInstallations = ['test/http/maintenance/backup.test.ts', 'test/http/maintenance/move-installation.test.ts'];

const leftOut = [
	...(isOnStore && process.env.FOLIO_TEST_LONG !== '1' ? ofInstallations : []),
	...(isAlone ? [...ofMany, ...ofStores] : []),
	...(process.env.FOLIO_TEST_SHORT === '1' ? long : []),
	...(isLong ? [] : longest),
];

const http = {
	// The same argon2 at the lowest cost; what the product asks for has a test beside it (passwords.test.ts).
	alias: { '@node-rs/argon2': resolve('test/support/app/quick-argon2.ts') },
	globalSetup: ['test/support/services/test-database.ts', 'test/support/services/test-storage.ts'],
};

/**
 * `unit`: everything beside its code, and the house rules. `http` and `http-heavy`: the real app, in process, on the
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
			{ extends: true, test: { ...http, name: 'http', include: ['test/http/**/*.test.ts'], exclude: heavy } },
			{ extends: true, test: { ...http, name: 'http-heavy', include: heavy } },
		],
		exclude: [...configDefaults.exclude, ...leftOut],
		environment: 'node',
		// Each file makes its app, database and folder itself; reading the whole product again for each took most of the run.
		isolate: false,
		maxWorkers: 2,
		// A thousand modules of plain JavaScript: Node reads them as they are.
		server: { deps: { external: [/\/src\/messages\/generated\//u] } },
		testTimeout: hangsAfterMs,
		hookTimeout: hangsAfterMs,
		expect: { poll: { timeout: eventComesWithinMs } },
	},
});
