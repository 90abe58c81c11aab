import type { Generated, Kysely } from 'kysely';

/** Both databases store timestamps as ISO 8601 text in UTC, money as whole paise, booleans as 0 or 1, JSON as text. */
type Flag = 0 | 1;

interface UsersTable {
	id: string;
	email: string;
	/** Lower-case NFC form of the email; unique. */
	email_key: string;
	name: string | null;
	/** Email and name, case-folded, for searches. */
	search_key: string;
	role: 'user' | 'admin';
	active: Flag;
	login_count: Generated<number>;
	last_login_at: string | null;
	password_hash: string | null;
	/** When the mailed first password expires, while it is unused or unchanged; null until the mail is sent. */
	initial_password_expires_at: string | null;
	has_initial_password: Flag;
	created_at: string;
	/** Encrypted secret of two-factor sign-in (RFC 6238); set when the set-up begins. */
	totp_secret_sealed: Generated<string | null>;
	/** When two-factor sign-in was turned on; null while it is off or being set up. */
	totp_confirmed_at: Generated<string | null>;
	/** Time step of the last accepted code; codes of this step and earlier ones are refused. */
	totp_last_step: Generated<number | null>;
}

interface RecoveryCodesTable {
	id: string;
	user_id: string;
	code_hash: string;
	used_at: string | null;
	created_at: string;
}

interface CredentialsTable {
	id: string;
	/** Keyed fingerprint of username and state. */
	lookup_key: string;
	/** Encrypted: username, state, id and password. */
	record_sealed: string;
	created_at: string;
	updated_at: string;
}

interface CredentialLookupsTable {
	id: string;
	at: string;
	/** Encrypted: the username and state that were looked up. */
	asked_sealed: string;
	is_found: Flag;
	/** The signed-in user, if there was one. */
	user_id: string | null;
	ip: string;
	user_agent: string;
}

/** A login imported from another system; the user is created at the first sign-in. */
interface ImportedLoginsTable {
	email_key: string;
	email: string;
	/** The other system's password hash, with its kind and parameters. */
	verifier: string;
	created_at: string;
}

/** Read only: finds users by a substring of email or name; see migration 0002. */
interface UsersSearchTable {
	id: string;
	search_key: string;
}

/** Read only, updated by triggers: number of users of each kind. */
interface UsersCountsTable {
	active: Flag;
	role: 'user' | 'admin';
	users: number;
}

interface SessionsTable {
	id: string;
	token_hash: string;
	user_id: string;
	created_at: string;
	last_seen_at: string;
	expires_at: string;
	ip: string;
	user_agent: string;
	ended_at: string | null;
	ended_reason: 'logout' | 'deactivation' | 'password' | 'device' | 'expiry' | null;
	/** The member as whom this admin's session sees the product, read only. */
	impersonated_user_id: Generated<string | null>;
	impersonation_ends_at: Generated<string | null>;
}

interface LoginHistoryTable {
	id: string;
	user_id: string;
	login_count: number;
	at: string;
	ip: string;
	browser_info: string;
}

interface PasswordLinksTable {
	id: string;
	user_id: string;
	token_hash: string;
	/** Null until the mail with the link was sent; the lifetime starts then. */
	expires_at: string | null;
	lifetime_seconds: number;
	used_at: string | null;
	created_at: string;
}

interface RateLimitsTable {
	key: string;
	count: number;
	resets_at: string;
}

interface BlobsTable {
	id: string;
	storage_key: string;
	size_bytes: number;
	sha256: string;
	content_type: string;
	created_at: string;
}

interface NodesTable {
	id: string;
	/** A user's id, or the reserved `guest` or `book`. */
	owner_id: string;
	parent_id: string | null;
	/** RealPaths of the ancestors joined by '/', '' at the root. */
	path: string;
	real_path: string | null;
	kind: 'folder' | 'file';
	/** 0 for folders, 1 for files: lists show folders first. */
	kind_order: number;
	name: string;
	name_key: string;
	sort_key: string;
	/** Lower-case extension of a file's name, '' for folders. */
	ending: string;
	size_bytes: number;
	blob_id: string | null;
	created_at: string;
	/** Set on the item that was deleted; what is in a deleted folder is deleted with its ancestor. */
	deleted_at: string | null;
	/** The type filter that shows a file besides 'all', or ''. */
	filter_group: Generated<string>;
	/** On a deleted node: an incomplete copy, or an item being purged; null: it is in the trash. */
	state: Generated<'arriving' | 'leaving' | null>;
}

/** Totals of a folder's direct, live children; updated with every change, as counting 100,000 rows takes too long. */
interface FolderTotalsTable {
	owner_id: string;
	/** Path of the folder's children. */
	path: string;
	folders: number;
	files: number;
	size_bytes: number;
}

/** Bytes used by a space, with its trash, and its quota. */
interface SpacesTable {
	owner_id: string;
	file_count: number;
	used_bytes: number;
	/** Null means the default quota of the files settings. */
	quota_bytes: number | null;
}

/** Thumbnails of blobs; `thumb_blob_id` is null where none can be made. */
interface ThumbnailsTable {
	blob_id: string;
	thumb_blob_id: string | null;
	made_at: string;
}

/** The outline of a PDF, read once per blob. */
interface OutlinesTable {
	blob_id: string;
	/** JSON: entries in their order, limited in number; null if the outline cannot be read. */
	entries: string | null;
	page_count: number | null;
	/** Why the outline cannot be read: see PdfErrorReason. */
	failure: string | null;
	read_at: string;
}

/** Read only: finds nodes by a substring of their name; see migration 0003. */
interface NodesSearchTable {
	id: string;
	name_key: string;
}

/** Read access of users other than the owner: the nearest row among those of a node and its ancestors decides. */
interface SharesTable {
	id: string;
	node_id: string;
	/** The space of the node, which never changes. */
	owner_id: string;
	recipient_id: string;
	kind: 'share' | 'exclusion';
	/** Copied from the node and updated on a rename, so that one index has a user's shares in the order of lists. */
	kind_order: number;
	sort_key: string;
	/** Address of the admin, as it was then. */
	shared_by: string;
	created_at: string;
}

/** A user's progress in a file that is read or played as a lesson. */
interface LessonProgressTable {
	user_id: string;
	node_id: string;
	/** Seconds for a video, page number for a PDF. */
	position: number;
	/** Length in the same unit; 0 while unknown. */
	total: number;
	is_done: Flag;
	updated_at: string;
}

/** A user's position in a document: the last one by the clock of the device that read it, and the furthest page. */
interface ReadingPositionsTable {
	user_id: string;
	/** An edition's key, or the id of a file. */
	document: string;
	/** The file, unless the document is an edition; deleted with it. */
	node_id: string | null;
	page: number;
	page_count: number;
	/** How much of the page is above the position, in ten-thousandths. */
	page_offset: number;
	chapter: string | null;
	/** When the page was read, by the device's clock; never in the future. */
	read_at: string;
	updated_at: string;
	/** For a document of `page_count` pages; reset when the count changes. */
	furthest_page: number;
	/** The furthest page as a fraction of all pages, in ten-thousandths. */
	furthest_share: number;
}

/** Bookmarks and highlights, with or without a note. */
interface AnnotationsTable {
	user_id: string;
	/** Generated by the device; unique among the annotations of one user. */
	id: string;
	/** As {@link ReadingPositionsTable.document}. */
	document: string;
	node_id: string | null;
	kind: 'bookmark' | 'highlight';
	page: number;
	/** JSON: rectangles of four numbers, as fractions of the page. */
	boxes: string;
	quote: string;
	note: string;
	color: 'yellow' | 'green' | 'blue' | 'pink';
	chapter: string | null;
	/** Size of the fields of variable length: the total per user is limited. */
	size_bytes: number;
	created_at: string;
	updated_at: string;
}

/** Members to whom an admin gave access to the book without an order. */
interface BookAccessTable {
	user_id: string;
	/** Address of the admin, as it was then. */
	granted_by: string;
	created_at: string;
}

/** A buyer's copy of an edition, with a watermark on every page. */
interface WatermarkedCopiesTable {
	user_id: string;
	edition: string;
	/** State of the wanted copy; `blob_id` may point to an earlier one. */
	state: 'waiting' | 'making' | 'ready' | 'failed';
	/** The original's blob. */
	wanted_source_id: string;
	/** Fingerprint of the watermark line. */
	wanted_watermark: string;
	percent: Generated<number>;
	/** Number of temporary failures, such as a lack of memory. */
	attempts: Generated<number>;
	/** Why the copy cannot be made: see PdfErrorReason. */
	failure: Generated<string | null>;
	/** The existing copy, its original and its number of pages. */
	blob_id: Generated<string | null>;
	source_id: Generated<string | null>;
	page_count: Generated<number | null>;
	made_at: Generated<string | null>;
	updated_at: string;
}

interface UploadsTable {
	id: string;
	user_id: string;
	owner_id: string;
	parent_id: string | null;
	path: string;
	name: string;
	/** Fixed at creation, so that an interrupted completion can be repeated; a small upload is stored under it whole. */
	storage_key: string;
	size_bytes: number;
	/** When the file was last modified, as the browser reports; Unix time in milliseconds. */
	modified_ms: number | null;
	created_at: string;
	finished_at: string | null;
	node_id: string | null;
	/** What to do when the name is taken. Null for old rows, which store it beside the chunks. */
	conflict: string | null;
	/** The object store's id of the multipart upload; null before the first part. */
	multipart_id: string | null;
	/** Bytes stored in all parts and the tail. With storage on disk, the size of the file counts instead. */
	arrived_bytes: Generated<number>;
	/** Key of an object with the bytes after the last part, too few for a part. */
	tail_key: string | null;
	tail_bytes: Generated<number>;
	/** Each attempt to store a part uses the next number, so that a late attempt never replaces a part that counts. */
	next_part: Generated<number>;
}

/** Parts of unfinished uploads that count, in the order of their numbers. */
interface UploadPartsTable {
	upload_id: string;
	number: number;
	size_bytes: number;
	etag: string;
}

/** Leases of names: the owner, and when the lease expires unless renewed, by the database's clock. */
interface LeasesTable {
	name: string;
	owner: string;
	expires_at: string;
}

/** Read only, updated by triggers: trigram index of names and emails. */
interface OrdersSearchTable {
	id: string;
	search_key: string;
}

/** Read only, one row, updated by triggers. */
interface OrdersTotalsTable {
	orders: number;
	complete: number;
	/** Orders among these two counts without a price of their own. */
	unpriced: number;
	unpriced_complete: number;
	/** Sums of the orders with a price of their own. */
	paise: number;
	complete_paise: number;
}

interface OrdersTable {
	id: string;
	code: string;
	user_id: string | null;
	name: string;
	email: string;
	phone: string;
	/** Encrypted; see platform/auth/secrets.ts. */
	upi_id_sealed: string;
	/** Lower-case NFC name and email, for the search of the orders page. */
	search_key: string;
	price_paise: number | null;
	/** Null means Pending. */
	status: 'Pending' | 'Complete' | null;
	created_at: string;
	updated_at: string;
	version: Generated<number>;
	/** Text from the owner to the buyer on the status page. */
	note: Generated<string | null>;
	note_at: Generated<string | null>;
	/** When the owner asked for a new proof; null if none is asked for or one has come since. */
	proof_wanted_at: Generated<string | null>;
	/** When the order last became Complete. */
	completed_at: Generated<string | null>;
	/** Email to which the receipt was last sent. */
	receipt_to: Generated<string | null>;
	/** The language in which the buyer bought. */
	locale: Generated<'en' | 'hi' | null>;
}

/** Secret addresses of an order's status page: each submission has one for its page and another in its mail. */
interface OrderLinksTable {
	id: string;
	token_hash: string;
	order_id: string;
	/** The submission whose mail has this link; null for a submission's own link and for mails from the orders page. */
	of_link_id: string | null;
	/** On a submission's own link: the email that was entered, or its correction. */
	email: string | null;
	made_account: Flag;
	created_at: string;
	/** On a submission's own link: the price at that moment; null for rows older than this column. */
	price_paise: Generated<number | null>;
}

interface ProofsTable {
	id: string;
	order_id: string;
	blob_id: string;
	thumb_blob_id: string;
	name: string;
	phone: string;
	upi_id_sealed: string;
	created_at: string;
	/** The submission of the proof; null for proofs older than this column and for those sent through a mailed link. */
	link_id: Generated<string | null>;
	/** Encrypted payment reference, as it was typed. */
	utr_sealed: Generated<string | null>;
	/** Keyed fingerprint of the normalised reference. */
	utr_key: Generated<string | null>;
	/** SHA-256 of the stored picture; equal for equal uploads. */
	picture_key: Generated<string | null>;
	/** The earlier proof with the same reference. */
	same_utr_as: Generated<string | null>;
	/** The earlier proof with the same picture. */
	same_picture_as: Generated<string | null>;
}

/** Image fingerprints of proofs, which find the same picture after compression, scaling or cropping. */
interface ProofFingerprintsTable {
	/** In the order of the commits: see {@link ProofSequenceTable}. */
	number: number;
	proof_id: string;
	/** Compared with the coarse fingerprint of every new proof. */
	coarse_fingerprint: string;
	/** Compared when the coarse fingerprints are similar. */
	fine_fingerprint: string;
}

/** One row, written by every transaction that looks for duplicate proofs, so that they run one after the other. */
interface ProofSequenceTable {
	id: 'proofs';
	last_number: number;
}

/** A payment reference that has completed an order; the row is kept when the order is deleted. */
interface UsedReferencesTable {
	/** As {@link ProofsTable.utr_key}. */
	utr_key: string;
	order_id: string;
	order_code: string;
	used_at: string;
}

interface SettingsTable {
	key: string;
	value: string;
	version: number;
	updated_at: string;
}

interface OutboxTable {
	id: string;
	message_id: string;
	kind: string;
	recipient: string;
	/** Encrypted parameters of the mail, erased when it is sent, because they may include a password. */
	payload_sealed: string | null;
	state: 'waiting' | 'sent' | 'file' | 'failed';
	attempts: Generated<number>;
	next_attempt_at: string;
	leased_until: string | null;
	created_at: string;
	sent_at: string | null;
	last_error: string | null;
	/** The submission that the mail answers: an unsent mail is deleted when the email is corrected. */
	order_link_id: Generated<string | null>;
	/** Conversation and notified side: an unsent mail is deleted once that side has seen the messages or none is left. */
	chat_key: Generated<string | null>;
}

interface JobsTable {
	id: string;
	kind: string;
	/** The lane whose worker runs the job. */
	lane: Generated<string>;
	payload: string;
	run_at: string;
	leased_until: string | null;
	attempts: Generated<number>;
	done_at: string | null;
	last_error: string | null;
}

interface AuditTable {
	id: string;
	at: string;
	actor_id: string | null;
	actor_email: string;
	action: string;
	subject_kind: string;
	subject_id: string;
	/** JSON: what changed, without secrets. */
	detail: string;
	ip: string;
	/** On the deletion of a user: the normalised email. */
	deleted_email_key: Generated<string | null>;
}

interface VisitsTable {
	id: string;
	visited_at: string;
	/** IP address of the client, anonymised if the owner has set this. */
	ip: string;
	page: string;
	/** Origin of the page that led here, or ''. */
	referrer: string;
	kind: 'person' | 'bot' | 'own';
}

/** Number of stored visits by IP address, updated with every change, because counting millions of rows is slow. */
interface VisitAddressesTable {
	ip: string;
	visits: number;
	last_at: string;
	/** Whether the address is anonymised already. */
	is_short: Flag;
}

/** Visits of each day in the business time zone, kept after the visits themselves are deleted. */
interface VisitDaysTable {
	day: string;
	visits: number;
	/** Visitors who began to fill in the purchase form. */
	forms: number;
}

interface VisitSourcesTable {
	day: string;
	kind: 'page' | 'referrer';
	value: string;
	visits: number;
}

/** One row. */
interface VisitSumsTable {
	id: 'visits';
	/** Number of rows in {@link VisitAddressesTable}. */
	addresses: number;
}

/** A member's conversation with the owner, with what each side has seen and its unread count. */
interface ConversationsTable {
	user_id: string;
	/** Incremented for each message while the row is locked. */
	last_sequence: number;
	/** Messages up to this sequence are deleted, though some of their rows may still exist. */
	cleared_through: number;
	/** Sequence up to which the member has seen the owner's messages, and an admin the member's. */
	user_viewed_through: number;
	admin_viewed_through: number;
	/** Number of messages of the other side that each side has not seen. */
	user_unread: number;
	admin_unread: number;
	/** Time of the last keystroke. */
	user_typing_at: string | null;
	admin_typing_at: string | null;
	/** Time of the newest message; null when there is none. */
	last_at: string | null;
	created_at: string;
	/** When to mail each side about its unread messages; null while there is nothing to mail. */
	user_mail_due_at: Generated<string | null>;
	admin_mail_due_at: Generated<string | null>;
	/** Sequence up to which mails have notified each side of the other's messages. */
	user_mailed_through: Generated<number>;
	admin_mailed_through: Generated<number>;
	/** Language that the member last used. */
	user_locale: Generated<'en' | 'hi' | null>;
	/** Stored files of both sides, and the bytes of files and texts. */
	stored_files: Generated<number>;
	stored_bytes: Generated<number>;
	/** What the member has sent in each rate limit window, and when the window ends; null before the first message. */
	minute_resets_at: Generated<string | null>;
	minute_messages: Generated<number>;
	day_resets_at: Generated<string | null>;
	day_files: Generated<number>;
	day_bytes: Generated<number>;
}

interface MessagesTable {
	id: string;
	/** The member of the conversation. */
	user_id: string;
	sequence: number;
	sender: 'user' | 'admin';
	author_id: string;
	/** Id from the author's page: a repeated id is the same message. */
	client_id: string;
	/** '' for a file. */
	message: string;
	blob_id: string | null;
	file_name: string | null;
	file_type: string | null;
	file_size_bytes: number | null;
	/** Case-folded text, or the file's name, for the search. */
	search_key: string;
	created_at: string;
}

/** Read only: finds messages by a substring of their text; see migration 0010. */
interface MessagesSearchTable {
	id: string;
	search_key: string;
}

interface CannedRepliesTable {
	id: string;
	name: string;
	/** '' if the reply has only files. */
	message: string;
	/** Ascending. */
	position: number;
	version: number;
	created_at: string;
	updated_at: string;
}

interface CannedReplyFilesTable {
	id: string;
	reply_id: string;
	blob_id: string;
	name: string;
	type: string;
	size_bytes: number;
	created_at: string;
}

/** A lease of a running process: renewed while the process lives, expired soon after it died. */
interface ProcessLeasesTable {
	id: string;
	kind: 'server' | 'backup';
	/** JSON for messages: version, process, machine. */
	detail: string;
	expires_at: string;
	created_at: string;
}

/** Stored bytes whose rows are gone while a backup still copies them. */
interface DeferredDeletesTable {
	storage_key: string;
	created_at: string;
}

export interface Schema {
	users: UsersTable;
	sessions: SessionsTable;
	recovery_codes: RecoveryCodesTable;
	credentials: CredentialsTable;
	credential_lookups: CredentialLookupsTable;
	imported_logins: ImportedLoginsTable;
	users_search: UsersSearchTable;
	users_counts: UsersCountsTable;
	login_history: LoginHistoryTable;
	password_links: PasswordLinksTable;
	rate_limits: RateLimitsTable;
	blobs: BlobsTable;
	nodes: NodesTable;
	folder_totals: FolderTotalsTable;
	spaces: SpacesTable;
	thumbnails: ThumbnailsTable;
	outlines: OutlinesTable;
	nodes_search: NodesSearchTable;
	shares: SharesTable;
	lesson_progress: LessonProgressTable;
	reading_positions: ReadingPositionsTable;
	annotations: AnnotationsTable;
	book_access: BookAccessTable;
	watermarked_copies: WatermarkedCopiesTable;
	uploads: UploadsTable;
	upload_parts: UploadPartsTable;
	leases: LeasesTable;
	orders: OrdersTable;
	orders_search: OrdersSearchTable;
	orders_totals: OrdersTotalsTable;
	order_links: OrderLinksTable;
	proofs: ProofsTable;
	proof_fingerprints: ProofFingerprintsTable;
	proof_sequence: ProofSequenceTable;
	used_references: UsedReferencesTable;
	settings: SettingsTable;
	outbox: OutboxTable;
	jobs: JobsTable;
	audit: AuditTable;
	visits: VisitsTable;
	visit_addresses: VisitAddressesTable;
	visit_days: VisitDaysTable;
	visit_sources: VisitSourcesTable;
	visit_sums: VisitSumsTable;
	conversations: ConversationsTable;
	messages: MessagesTable;
	messages_search: MessagesSearchTable;
	canned_replies: CannedRepliesTable;
	canned_reply_files: CannedReplyFilesTable;
	process_leases: ProcessLeasesTable;
	deferred_deletes: DeferredDeletesTable;
}

/** A connection pool or an open transaction: every query function takes one, always. */
export type Db = Kysely<Schema>;
