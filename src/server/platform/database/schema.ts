import type { Generated, Kysely } from 'kysely';

/** Timestamps are ISO 8601 text in UTC, money is whole paise, booleans are 0 or 1, JSON is text: alike on both databases. */
type Flag = 0 | 1;

interface UsersTable {
	id: string;
	email: string;
	/** Lower-case NFC form of the address; unique. */
	email_key: string;
	name: string | null;
	/** Address and name, folded, to be searched. */
	search_key: string;
	role: 'user' | 'admin';
	active: Flag;
	login_count: Generated<number>;
	last_login_at: string | null;
	password_hash: string | null;
	/** Set while the mailed first password is unused or unchanged; the moment it stops working, null until the mail is sent. */
	initial_password_expires_at: string | null;
	has_initial_password: Flag;
	created_at: string;
	/** Two-factor sign-in (RFC 6238): encrypted; set when the set-up begins. */
	totp_secret_sealed: Generated<string | null>;
	/** Two-factor sign-in is asked for from here on; null while it is off or being set up. */
	totp_confirmed_at: Generated<string | null>;
	/** The time step of the last code taken: it and all before it are used. */
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
	/** Encrypted: the username and state that were asked for. */
	asked_sealed: string;
	is_found: Flag;
	/** Who was signed in, if somebody was. */
	user_id: string | null;
	ip: string;
	user_agent: string;
}

/** A login taken over from another system, whose person has no profile here until they sign in. */
interface ImportedLoginsTable {
	email_key: string;
	email: string;
	/** The other system's password hash, with its kind and parameters. */
	verifier: string;
	created_at: string;
}

/** Read only: finds people by a piece of their address; see migration 0002. */
interface UsersSearchTable {
	id: string;
	search_key: string;
}

/** Read only, kept by triggers: how many people there are of each kind. */
interface UsersCountsTable {
	active: Flag;
	role: 'user' | 'admin';
	people: number;
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
	/** The member whose product this admin's session shows, read only. */
	viewed_user_id: Generated<string | null>;
	/** When that view ends by itself. */
	view_ends_at: Generated<string | null>;
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
	/** Null until the mail that carries the link was sent: the clock starts then. */
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
	/** Lower-case ending of a file's name, '' for folders. */
	ending: string;
	size_bytes: number;
	blob_id: string | null;
	created_at: string;
	/** Set on what was deleted itself; what lies in a deleted folder goes with it, by its ancestors. */
	deleted_at: string | null;
	/** The type filter that shows a file besides 'all', or ''. */
	filter_group: Generated<string>;
	/** On a deleted node: a copy that is not whole yet, or what is on its way out of the trash; null: it lies in the trash. */
	state: Generated<'arriving' | 'leaving' | null>;
}

/** What lies directly in a folder and is not deleted: kept with every change, for a count of 100,000 rows takes too long. */
interface FolderTotalsTable {
	owner_id: string;
	/** Path of what lies in the folder. */
	path: string;
	folders: number;
	files: number;
	size_bytes: number;
}

/** What a space holds, with its trash, and how much it may. */
interface SpacesTable {
	owner_id: string;
	file_count: number;
	used_bytes: number;
	/** Null: the default of the files settings. */
	quota_bytes: number | null;
}

/** Small pictures of blobs; without a `thumb_blob_id` there is none to be made. */
interface ThumbnailsTable {
	blob_id: string;
	thumb_blob_id: string | null;
	made_at: string;
}

/** The outline of a PDF, read once for its bytes. */
interface OutlinesTable {
	blob_id: string;
	/** JSON: entries in their order, bounded; null where it cannot be read. */
	entries: string | null;
	page_count: number | null;
	/** Why it cannot be read: see PdfErrorReason. */
	failure: string | null;
	read_at: string;
}

/** Read only: finds nodes by a piece of their name; see migration 0003. */
interface NodesSearchTable {
	id: string;
	name_key: string;
}

/** Who may read what besides its owner: the nearest entry among a node and its folders decides. */
interface SharesTable {
	id: string;
	node_id: string;
	/** The space of the node: nodes stay in theirs. */
	owner_id: string;
	recipient_id: string;
	kind: 'share' | 'exclusion';
	/** As the node has them, kept with a rename, so that one index holds a person's shares in the order of lists. */
	kind_order: number;
	sort_key: string;
	/** Address of the admin, as it was then. */
	granted_by: string;
	created_at: string;
}

/** How far a person is in a file that is read or played as a lesson. */
interface LessonProgressTable {
	user_id: string;
	node_id: string;
	/** Seconds of a film, page of a PDF. */
	position: number;
	/** In the same unit; 0 while unknown. */
	total: number;
	is_done: Flag;
	updated_at: string;
}

/** Where somebody is in a document: the last place by the clock of the device that read it, and the furthest page. */
interface ReadingPositionsTable {
	user_id: string;
	/** An edition's key, or the id of a file. */
	document: string;
	/** The file, where it is one: its place goes with it. */
	node_id: string | null;
	page: number;
	page_count: number;
	/** How much of the page lies above what is read, in ten-thousandths. */
	page_offset: number;
	chapter: string | null;
	/** When it was read there; never in the future. */
	read_at: string;
	updated_at: string;
	/** Of a document of `page_count` pages: of another count it begins anew. */
	furthest_page: number;
	/** The same as a part of all pages, in ten-thousandths. */
	furthest_share: number;
}

/** Bookmarks and highlights, with or without a note. */
interface AnnotationsTable {
	user_id: string;
	/** Made by the device; one's own among one's own. */
	id: string;
	/** As {@link ReadingPositionsTable.document}. */
	document: string;
	node_id: string | null;
	kind: 'bookmark' | 'highlight';
	page: number;
	/** JSON: rectangles of four shares of the page. */
	boxes: string;
	quote: string;
	note: string;
	color: 'yellow' | 'green' | 'blue' | 'pink';
	chapter: string | null;
	/** Of what varies in length: how much somebody keeps is limited by it. */
	size_bytes: number;
	created_at: string;
	updated_at: string;
}

/** Members who may read the book without an order: given by an admin. */
interface BookAccessTable {
	user_id: string;
	/** Address of the admin, as it was then. */
	granted_by: string;
	created_at: string;
}

/** A buyer's own copy of an edition, with their mark on every page. */
interface WatermarkedCopiesTable {
	user_id: string;
	edition: string;
	/** Of the copy that is wanted now; what stands in `blob_id` may be an earlier one. */
	state: 'waiting' | 'making' | 'ready' | 'failed';
	/** The original's blob. */
	wanted_source_id: string;
	/** Fingerprint of the line at the foot. */
	wanted_mark: string;
	percent: Generated<number>;
	/** How often it failed for the machine's sake. */
	tries: Generated<number>;
	/** Why there is none: see PdfErrorReason. */
	failure: Generated<string | null>;
	/** The copy that is there, of which original, with how many pages. */
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
	/**
	 * Fixed at creation, so that a finish that was cut off can be repeated. On a store, a small upload takes the key under
	 * which its bytes came in whole.
	 */
	storage_key: string;
	size_bytes: number;
	/** When the file itself was last changed, as its uploader's browser says; in milliseconds. */
	modified_ms: number | null;
	created_at: string;
	finished_at: string | null;
	node_id: string | null;
	/** What becomes of it where its name is taken. Null for old ones: then it stands beside the chunks. */
	conflict: string | null;
	/** The store's name for the parts; null while there are none. */
	multipart_id: string | null;
	/** Bytes that are safe on the store: all parts and the tail. Where a folder gathers them, its file tells. */
	arrived_bytes: Generated<number>;
	/** An object with the bytes behind the last part, too few for one. */
	tail_key: string | null;
	tail_bytes: Generated<number>;
	/** Each try to store a part takes the next number, so that a late one can never replace what counts. */
	next_part: Generated<number>;
}

/** Parts of unfinished uploads that count, in the order of their numbers. */
interface UploadPartsTable {
	upload_id: string;
	number: number;
	size_bytes: number;
	etag: string;
}

/** Who of many holds something, and until when unless they say so again; by the database's clock. */
interface LeasesTable {
	name: string;
	holder: string;
	leased_until: string;
}

/** Read only, kept by triggers: names and addresses in trigrams. */
interface OrdersSearchTable {
	id: string;
	search_key: string;
}

/** Read only, one row, kept by triggers. */
interface OrdersTotalsTable {
	orders: number;
	complete: number;
	/** Of both, how many have no price of their own. */
	unpriced: number;
	unpriced_complete: number;
	/** Of those that have. */
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
	/** Encrypted; see platform/secrets. */
	upi_id_sealed: string;
	/** Lower-case NFC name and address, for the desk's search. */
	search_key: string;
	price_paise: number | null;
	/** Absent means Pending. */
	status: 'Pending' | 'Complete' | null;
	created_at: string;
	updated_at: string;
	version: Generated<number>;
	/** What the owner tells the buyer on the status page. */
	note: Generated<string | null>;
	note_at: Generated<string | null>;
	/** The owner asked for a new proof, and none has come since. */
	proof_wanted_at: Generated<string | null>;
	/** When it last became Complete. */
	completed_at: Generated<string | null>;
	/** The address that the receipt was last mailed to. */
	receipt_to: Generated<string | null>;
	/** The language in which the buyer bought. */
	locale: Generated<'en' | 'hi' | null>;
}

/** Secret addresses of an order's status page: each submission has one for its page and another in its mail. */
interface OrderLinksTable {
	id: string;
	token_hash: string;
	order_id: string;
	/** The submission whose mail carries this one; null for a submission's own, and for what the desk mails. */
	of_link_id: string | null;
	/** On a submission's own: the address it was sent with, or corrected to. */
	email: string | null;
	/** The account was made by this very submission. */
	made_account: Flag;
	created_at: string;
	/** On a submission's own: the price of that moment; null for those of before it was kept. */
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
	/** The submission that it came with; null for those of before there were links, and through a mailed link. */
	link_id: Generated<string | null>;
	/** The payment's reference, as it was typed: encrypted. */
	utr_sealed: Generated<string | null>;
	/** Keyed fingerprint of the reference as it counts. */
	utr_key: Generated<string | null>;
	/** SHA-256 of the picture as kept: alike for alike uploads. */
	picture_key: Generated<string | null>;
	/** The earlier proof with the same reference. */
	same_utr_as: Generated<string | null>;
	/** The earlier proof with the same picture. */
	same_picture_as: Generated<string | null>;
}

/** How the pictures of proofs look, so that the same one is known again when it was compressed, scaled or cut. */
interface ProofFingerprintsTable {
	/** In the order of the commits: see {@link ProofSequenceTable}. */
	number: number;
	proof_id: string;
	/** Coarse; compared with every new one. */
	outline: string;
	/** Fine; compared where the outlines are alike. */
	look: string;
}

/** One row, written by whoever marks a proof: they take turns. */
interface ProofSequenceTable {
	id: 'proofs';
	last_number: number;
}

/** A payment's reference that has completed an order; the row stays when the order is deleted. */
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
	/** Encrypted parameters of the mail; erased when it is sent, for it may hold a password. */
	payload_sealed: string | null;
	state: 'waiting' | 'sent' | 'file' | 'failed';
	attempts: Generated<number>;
	next_attempt_at: string;
	leased_until: string | null;
	created_at: string;
	sent_at: string | null;
	last_error: string | null;
	/** The submission that it answers: unsent, it goes when the address is corrected. */
	order_link_id: Generated<string | null>;
	/** The conversation and the side that it tells: unsent, it goes when that side has looked, or there is nothing left. */
	chat_key: Generated<string | null>;
}

interface JobsTable {
	id: string;
	kind: string;
	/** Which of the runners does it. */
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
	/** Of the deletion of a person: the address as it is compared. */
	gone_email_key: Generated<string | null>;
}

interface VisitsTable {
	id: string;
	visited_at: string;
	/** As the server saw it, shortened where the owner wants it so. */
	ip: string;
	page: string;
	/** Origin of the page that led here, or ''. */
	referrer: string;
	kind: 'person' | 'bot' | 'own';
}

/** How many of the kept visits came from an address: kept with every change, for millions of rows are not counted. */
interface VisitAddressesTable {
	ip: string;
	visits: number;
	last_at: string;
	/** Nothing is left to be shortened. */
	is_short: Flag;
}

/** Visits of each day in the business time zone: they stay when the visits themselves are forgotten. */
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
	/** How many rows {@link VisitAddressesTable} has. */
	addresses: number;
}

/** A member's conversation with the owner. How far each side has seen, and what it has not, is kept with every change. */
interface ConversationsTable {
	user_id: string;
	/** Taken by each message under this row's lock. */
	last_sequence: number;
	/** Messages up to here are deleted, though their rows may still be on their way out. */
	cleared_through: number;
	/** The owner's messages that the member has seen, and the member's that an admin has. */
	user_viewed_through: number;
	admin_viewed_through: number;
	/** Messages of the other side that each has not seen. */
	user_unread: number;
	admin_unread: number;
	/** The last key. */
	user_typing_at: string | null;
	admin_typing_at: string | null;
	/** Of the newest message; null when there is none. */
	last_at: string | null;
	created_at: string;
	/** When each side is to be mailed what it has not seen; null while there is nothing to mail. */
	user_mail_due_at: Generated<string | null>;
	admin_mail_due_at: Generated<string | null>;
	/** How far mails have told each side of the other's messages. */
	user_mailed_through: Generated<number>;
	admin_mailed_through: Generated<number>;
	/** The language in which the member was last here. */
	user_locale: Generated<'en' | 'hi' | null>;
	/** What is kept of both sides' messages: files, and the bytes of files and texts. */
	stored_files: Generated<number>;
	stored_bytes: Generated<number>;
	/** What the member has sent until each window is over; null before the first message. */
	minute_resets_at: Generated<string | null>;
	minute_messages: Generated<number>;
	day_resets_at: Generated<string | null>;
	day_files: Generated<number>;
	day_bytes: Generated<number>;
}

interface MessagesTable {
	id: string;
	/** Whose conversation it is in. */
	user_id: string;
	sequence: number;
	sender: 'user' | 'admin';
	/** Who wrote it. */
	author_id: string;
	/** As the writer's page named it: the same again is the same message. */
	client_id: string;
	/** '' for a file. */
	message: string;
	blob_id: string | null;
	file_name: string | null;
	file_type: string | null;
	file_size_bytes: number | null;
	/** Folded text, or the file's name, for the search. */
	search_key: string;
	created_at: string;
}

/** Read only: finds messages by a piece of their text; see migration 0010. */
interface MessagesSearchTable {
	id: string;
	search_key: string;
}

/** An answer that admins keep ready. */
interface CannedRepliesTable {
	id: string;
	name: string;
	/** '' beside files. */
	message: string;
	/** Smaller stands first. */
	place: number;
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

/** Something that a running process holds for a while: renewed while it lives, over when it has died. */
interface ProcessLeasesTable {
	id: string;
	kind: 'server' | 'backup' | 'move';
	/** JSON, for people: version, process, machine. */
	detail: string;
	until: string;
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
	grants: SharesTable;
	lesson_progress: LessonProgressTable;
	reading_places: ReadingPositionsTable;
	reading_marks: AnnotationsTable;
	book_grants: BookAccessTable;
	marked_copies: WatermarkedCopiesTable;
	uploads: UploadsTable;
	upload_parts: UploadPartsTable;
	leases: LeasesTable;
	orders: OrdersTable;
	orders_search: OrdersSearchTable;
	orders_totals: OrdersTotalsTable;
	order_links: OrderLinksTable;
	proofs: ProofsTable;
	proof_looks: ProofFingerprintsTable;
	proof_turns: ProofSequenceTable;
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
	holds: ProcessLeasesTable;
	put_off_removals: DeferredDeletesTable;
}

/** A connection pool or an open transaction: every query function takes one, always. */
export type Db = Kysely<Schema>;
