import type { Generated, Kysely } from 'kysely';

/** Both databases store timestamps as ISO 8601 text in UTC, money as whole paise, booleans as 0 or 1, JSON as text. */
type Flag = 0 | 1;

interface SearchIndex {
	id: string;
	search_key: string;
}

export interface Schema {
	users: {
		id: string;
		email: string;
		/** Lower-case NFKC form of the email; unique. */
		email_key: string;
		name: string | null;
		/** Email and name, case-folded, for searches. */
		search_key: string;
		role: 'user' | 'admin';
		active: Flag;
		login_count: Generated<number>;
		last_login_at: string | null;
		password_hash: string | null;
		/** When an unchanged first password expires; null until the mail with the password is sent. */
		initial_password_expires_at: string | null;
		has_initial_password: Flag;
		created_at: string;
		/** Encrypted secret of two-factor sign-in (RFC 6238); set when the set-up starts. */
		totp_secret_sealed: Generated<string | null>;
		/** When two-factor sign-in was turned on; null while it is off or being set up. */
		totp_confirmed_at: Generated<string | null>;
		/** Time step of the last accepted code; codes of this step and earlier ones are refused. */
		totp_last_step: Generated<number | null>;
	};

	/** Filters and sort of a list, saved by an admin under a name. */
	saved_filters: {
		id: string;
		user_id: string;
		list: 'orders' | 'users';
		name: string;
		/** Lower-case NFKC form of the name; unique for each user and list. */
		name_key: string;
		/** Search parameters of the list's screen. */
		query: string;
		created_at: string;
	};

	recovery_codes: {
		id: string;
		user_id: string;
		code_hash: string;
		used_at: string | null;
		created_at: string;
	};

	credentials: {
		id: string;
		/** Keyed fingerprint of username and state. */
		lookup_key: string;
		/** Encrypted: username, state, id and password. */
		record_sealed: string;
		created_at: string;
		updated_at: string;
	};

	credential_lookups: {
		id: string;
		at: string;
		/** Encrypted: the username and state that were looked up. */
		asked_sealed: string;
		is_found: Flag;
		/** The signed-in user, if there was one. */
		user_id: string | null;
		ip: string;
		user_agent: string;
	};

	/** A login imported from another system; the user is created at the first sign-in. */
	imported_logins: {
		email_key: string;
		email: string;
		/** The other system's password hash, with its kind and parameters. */
		verifier: string;
		created_at: string;
	};

	/** Read only: finds users by a substring of email or name; see migration 0002. */
	users_search: SearchIndex;

	/** Read only, updated by triggers: number of users for each `active` and `role`. */
	users_counts: {
		active: Flag;
		role: 'user' | 'admin';
		users: number;
	};

	sessions: {
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
		/** The member whom the admin of this session impersonates. */
		impersonated_user_id: Generated<string | null>;
		impersonation_ends_at: Generated<string | null>;
	};

	login_history: {
		id: string;
		user_id: string;
		login_count: number;
		at: string;
		ip: string;
		browser_info: string;
	};

	password_links: {
		id: string;
		user_id: string;
		token_hash: string;
		/** Null until the mail with the link was sent; the lifetime starts then. */
		expires_at: string | null;
		lifetime_seconds: number;
		used_at: string | null;
		created_at: string;
	};

	rate_limits: {
		key: string;
		count: number;
		resets_at: string;
	};

	blobs: {
		id: string;
		storage_key: string;
		size_bytes: number;
		sha256: string;
		content_type: string;
		created_at: string;
	};

	nodes: {
		id: string;
		/** A user's id, or the reserved `guest` or `book`. */
		owner_id: string;
		parent_id: string | null;
		/** `real_path` of each ancestor from the root down, joined by '/'; '' at the root. */
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
		/** Set only on the deleted item, not on items inside a deleted folder. */
		deleted_at: string | null;
		/** The type filter, besides 'all', that includes the file; '' if there is none. */
		filter_group: Generated<string>;
		/** Of a deleted node: `arriving` for an incomplete copy, `leaving` for a node being purged, null in the trash. */
		state: Generated<'arriving' | 'leaving' | null>;
	};

	/** Totals of a folder's direct, live children. Updated with every change, because counting 100,000 rows is slow. */
	folder_totals: {
		owner_id: string;
		/** Path of the folder's children. */
		path: string;
		folders: number;
		files: number;
		size_bytes: number;
	};

	/** Number of files and bytes of a space, including its trash, and its quota. */
	spaces: {
		owner_id: string;
		file_count: number;
		used_bytes: number;
		/** Null for the default quota. */
		quota_bytes: number | null;
	};

	/** Thumbnails of blobs; `thumb_blob_id` is null if no thumbnail can be created. */
	thumbnails: {
		blob_id: string;
		thumb_blob_id: string | null;
		made_at: string;
	};

	/** The contents of files that are or have been an edition, until an admin releases them. */
	edition_contents: {
		/** SHA-256 (hex) of the content. */
		sha256: string;
		/** The file's name when it became an edition; '' if unknown. */
		name: string;
		/** When it became an edition; for contents from before migration 0028, when it was stored. */
		created_at: string;
	};

	/** The outline of a PDF, read once per blob. */
	outlines: {
		blob_id: string;
		/** JSON: a limited number of entries, in their order; null if the outline cannot be read. */
		entries: string | null;
		page_count: number | null;
		/** Why the outline cannot be read; see PdfFailure. */
		failure: string | null;
		read_at: string;
	};

	/** Read only: finds nodes by a substring of their name; see migration 0003. */
	nodes_search: {
		id: string;
		name_key: string;
	};

	/** Groups with a name and chosen members; the computed groups have no rows. */
	groups: {
		id: string;
		name: string;
		/** Case-folded name; unique. */
		name_key: string;
		created_at: string;
	};

	group_members: {
		group_id: string;
		user_id: string;
		added_at: string;
	};

	/** Read access of users who do not own a node. The row of the node or of its nearest ancestor decides. */
	shares: {
		id: string;
		node_id: string;
		/** The space of the node, which never changes. */
		owner_id: string;
		/** A user, a group, or one of the computed groups of the contract. */
		recipient_id: string;
		recipient_kind: Generated<'user' | 'group'>;
		kind: 'share' | 'exclusion';
		/** Copies of the node's columns, updated on a rename, so that an index has a user's shares in list order. */
		kind_order: number;
		sort_key: string;
		/** Email of the admin at that time. */
		shared_by: string;
		created_at: string;
	};

	/** A user's progress in a lesson: a video or PDF. */
	lesson_progress: {
		user_id: string;
		node_id: string;
		/** Seconds for a video, page number for a PDF. */
		position: number;
		/** Length of the video in seconds or number of pages; 0 while unknown. */
		total: number;
		is_done: Flag;
		updated_at: string;
	};

	/** The position where a user last read a document, and the furthest page. */
	reading_positions: {
		user_id: string;
		/** An edition's key, or the id of a file. */
		document: string;
		/** The file; null if the document is an edition. The row is deleted with the file. */
		node_id: string | null;
		page: number;
		page_count: number;
		/** Part of the page above the position, in ten-thousandths of its height. */
		page_offset: number;
		chapter: string | null;
		/** When the page was read, by the device's clock; a time in the future is replaced by the current time. */
		read_at: string;
		updated_at: string;
		/** Reset when `page_count` changes. */
		furthest_page: number;
		/** The furthest page as a fraction of all pages, in ten-thousandths. */
		furthest_share: number;
	};

	/** Bookmarks and highlights, with or without a note. */
	annotations: {
		user_id: string;
		/** Created by the device; unique for each user. */
		id: string;
		/** See `reading_positions.document`. */
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
		/** Size of the texts and boxes; each user's total is limited. */
		size_bytes: number;
		created_at: string;
		updated_at: string;
	};

	/** Members to whom an admin gave access to the book without an order. */
	book_access: {
		user_id: string;
		/** Email of the admin at that time. */
		granted_by: string;
		created_at: string;
	};

	/** A buyer's copy of an edition, with a watermark on every page. */
	watermarked_copies: {
		user_id: string;
		edition: string;
		/** State of the copy that should exist; `blob_id` may refer to an earlier copy. */
		state: 'waiting' | 'making' | 'ready' | 'failed';
		/** Blob of the original from which the copy should be made. */
		wanted_source_id: string;
		/** Fingerprint of the watermark line that the copy should have. */
		wanted_watermark: string;
		percent: Generated<number>;
		/** Number of failures that may be temporary, such as a lack of memory. */
		attempts: Generated<number>;
		/** Why the copy cannot be made; see PdfFailure. */
		failure: Generated<string | null>;
		/** The existing copy, its original and its number of pages. */
		blob_id: Generated<string | null>;
		source_id: Generated<string | null>;
		page_count: Generated<number | null>;
		made_at: Generated<string | null>;
		updated_at: string;
		/** If set, `blob_id` is only the parts that `inserts` (JSON, see Insert) inserts into this blob. */
		base_blob_id: Generated<string | null>;
		inserts: Generated<string | null>;
	};

	/** What all watermarked copies of an original have in common. */
	copy_templates: {
		/** Blob of the original. */
		source_id: string;
		/** The base; no user may read it. */
		blob_id: string;
		/** A CopyTemplate as JSON. */
		layout: string;
		created_at: string;
	};

	uploads: {
		id: string;
		user_id: string;
		owner_id: string;
		parent_id: string | null;
		path: string;
		name: string;
		/** Key of the complete file; set at creation, so that an interrupted completion can be repeated. */
		storage_key: string;
		size_bytes: number;
		/** When the file was last modified, as reported by the browser; Unix time in milliseconds. */
		modified_ms: number | null;
		created_at: string;
		finished_at: string | null;
		node_id: string | null;
		/** What to do when the name is taken. Null for uploads from before 0014, which store it beside the chunks. */
		conflict: 'skip' | 'rename' | 'replace' | null;
		/** The object store's id of the multipart upload; null before the first part. */
		multipart_id: string | null;
		/** Bytes stored in all parts and the tail. Not used with storage on disk, where the size of the file counts. */
		arrived_bytes: Generated<number>;
		/** Key of an object with the bytes after the last part, too few for a part. */
		tail_key: string | null;
		tail_bytes: Generated<number>;
		/** Each attempt to store a part uses a new number, so that a delayed attempt cannot replace a recorded part. */
		next_part: Generated<number>;
	};

	/** Recorded parts of unfinished uploads; other parts in the object store are ignored. */
	upload_parts: {
		upload_id: string;
		number: number;
		size_bytes: number;
		etag: string;
	};

	/** Leases of names, with their owner and the time by the database's clock at which they expire unless renewed. */
	leases: {
		name: string;
		owner: string;
		expires_at: string;
	};

	/** Read only, updated by triggers: trigram index of names and emails. */
	orders_search: SearchIndex;

	/** Read only, one row, updated by triggers. Without the test order. */
	orders_totals: {
		orders: number;
		complete: number;
		/** Numbers of orders, and of Complete orders, without their own price. */
		unpriced: number;
		unpriced_complete: number;
		/** Sums of the orders with their own price. */
		paise: number;
		complete_paise: number;
	};

	orders: {
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
		/** Null for Pending. */
		status: 'Pending' | 'Complete' | null;
		created_at: string;
		updated_at: string;
		version: Generated<number>;
		/** Note from the owner to the buyer, shown on the order's page. */
		note: Generated<string | null>;
		note_at: Generated<string | null>;
		/** When the owner requested a new proof; null without a request and after a new proof was sent. */
		proof_wanted_at: Generated<string | null>;
		completed_at: Generated<string | null>;
		/** Email to which the receipt was last sent. */
		receipt_to: Generated<string | null>;
		locale: Generated<'en' | 'hi' | null>;
		/** Whether this is the order of a test purchase, which is left out of all figures. At most one row has it. */
		is_test: Generated<Flag>;
	};

	/** Secret links to an order's page. Each submission has its own link, and another link is in its mail. */
	order_links: {
		id: string;
		token_hash: string;
		order_id: string;
		/** The submission whose mail has this link; null for a submission's own link and for mails from the orders page. */
		of_link_id: string | null;
		/** On a submission's own link: the entered or corrected email. */
		email: string | null;
		made_account: Flag;
		created_at: string;
		/** On a submission's own link: the price at that time; null for older rows. */
		price_paise: Generated<number | null>;
	};

	proofs: {
		id: string;
		order_id: string;
		blob_id: string;
		thumb_blob_id: string;
		name: string;
		phone: string;
		upi_id_sealed: string;
		created_at: string;
		/** The submission of the proof; null for older rows, and for proofs sent through a mailed link. */
		link_id: Generated<string | null>;
		/** Encrypted payment reference, as the buyer typed it. */
		utr_sealed: Generated<string | null>;
		/** Keyed fingerprint of the reference in its first comparable form. */
		utr_key: Generated<string | null>;
		/** SHA-256 of the re-encoded picture, before it was reduced to the sender's allowance. */
		picture_key: Generated<string | null>;
	};

	/** Payment references of orders that became Complete; a row is kept when its order is deleted. */
	used_references: {
		/** See `proofs.utr_key`; also the fingerprints of the other forms of a reference. */
		utr_key: string;
		order_id: string;
		order_code: string;
		used_at: string;
	};

	settings: {
		key: string;
		value: string;
		version: number;
		updated_at: string;
	};

	outbox: {
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
		/** The submission that caused the mail. An unsent mail is deleted when the buyer corrects the email. */
		order_link_id: Generated<string | null>;
		/** Conversation and notified side. An unsent mail is deleted when the side has no unread messages. */
		chat_key: Generated<string | null>;
	};

	jobs: {
		id: string;
		kind: string;
		lane: Generated<string>;
		payload: string;
		run_at: string;
		leased_until: string | null;
		attempts: Generated<number>;
		done_at: string | null;
		last_error: string | null;
	};

	audit: {
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
		/** On entries about the deletion of a user: the normalised email. */
		deleted_email_key: Generated<string | null>;
	};

	visits: {
		id: string;
		visited_at: string;
		/** IP address of the client, anonymised if the settings require this. */
		ip: string;
		page: string;
		/** Origin of the page from which the visitor came; '' if unknown. */
		referrer: string;
		kind: 'person' | 'bot' | 'own';
	};

	/** Number of stored visits by IP address. Updated with every change, because counting millions of rows is slow. */
	visit_addresses: {
		ip: string;
		visits: number;
		last_at: string;
		is_short: Flag;
	};

	/** Number of visits on each day in the business time zone; kept after the visits are deleted. */
	visit_days: {
		day: string;
		visits: number;
		/** Number of visitors who typed into the purchase form. */
		forms: number;
	};

	visit_sources: {
		day: string;
		kind: 'page' | 'referrer';
		value: string;
		visits: number;
	};

	/** Has one row. */
	visit_sums: {
		id: 'visits';
		/** Number of rows in `visit_addresses`. */
		addresses: number;
	};

	/** Fields of the storefront's content that the owner has changed. JSON; null is the default of the template. */
	storefront_fields: {
		field: string;
		published: string | null;
		/** Meaningful only if `has_draft`. */
		draft: string | null;
		has_draft: Flag;
		/** Increases with each change of the draft. */
		version: number;
		updated_by: string | null;
		updated_at: string;
	};

	/** The last published versions; the newest is what visitors see. */
	storefront_versions: {
		number: number;
		/** JSON object of the template and of all values that differ from its default. */
		content: string;
		/** JSON list of the fields that differ from the version before. */
		changes: string;
		published_by: string | null;
		published_at: string;
	};

	/** Uploaded pictures, videos and captions of the storefront. */
	storefront_files: {
		id: string;
		kind: 'cover' | 'excerpt' | 'social' | 'icon' | 'video' | 'captions';
		/** Pixels of the upright and cropped picture; null for other files. */
		width: number | null;
		height: number | null;
		/** Whether the published content refers to the file. */
		is_published: Generated<Flag>;
		created_at: string;
	};

	storefront_file_blobs: {
		file_id: string;
		/** `original`, or `320.avif` for a variant; `file` of videos and captions. */
		name: string;
		blob_id: string;
	};

	/** A member's conversation with the owner, and what each side has seen. */
	conversations: {
		user_id: string;
		/** Incremented for each message while the row is locked. */
		last_sequence: number;
		/** Messages up to this sequence are deleted; a job may not have deleted all of their rows yet. */
		cleared_through: number;
		/** Sequence up to which the member, or an admin, has seen the messages of the other side. */
		user_viewed_through: number;
		admin_viewed_through: number;
		/** Number of messages of the other side that a side has not seen. */
		user_unread: number;
		admin_unread: number;
		/** Time of the last keystroke. */
		user_typing_at: string | null;
		admin_typing_at: string | null;
		/** Time of the newest message; null when there is none. */
		last_at: string | null;
		created_at: string;
		/** When a side will be mailed about unread messages; null if no mail is due. */
		user_mail_due_at: Generated<string | null>;
		admin_mail_due_at: Generated<string | null>;
		/** Sequence of the last message about which a side was mailed. */
		user_mailed_through: Generated<number>;
		admin_mailed_through: Generated<number>;
		user_locale: Generated<'en' | 'hi' | null>;
		/** Number of stored files of both sides, and bytes of files and texts. */
		stored_files: Generated<number>;
		stored_bytes: Generated<number>;
		/** What the member has sent in each rate limit window, and when each window ends; null before the first message. */
		minute_resets_at: Generated<string | null>;
		minute_messages: Generated<number>;
		day_resets_at: Generated<string | null>;
		day_files: Generated<number>;
		day_bytes: Generated<number>;
	};

	messages: {
		id: string;
		user_id: string;
		sequence: number;
		sender: 'user' | 'admin';
		author_id: string;
		/** Id created by the author's page. A message that is sent again has the same id. */
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
	};

	/** Read only: finds messages by a substring of their text; see migration 0010. */
	messages_search: SearchIndex;

	canned_replies: {
		id: string;
		name: string;
		/** '' for a reply with only files. */
		message: string;
		position: number;
		version: number;
		created_at: string;
		updated_at: string;
	};

	canned_reply_files: {
		id: string;
		reply_id: string;
		blob_id: string;
		name: string;
		type: string;
		size_bytes: number;
		created_at: string;
	};

	/** Leases of running processes, which are renewed while the process runs and expire soon after it died. */
	process_leases: {
		id: string;
		kind: 'server' | 'backup';
		/** JSON, for error messages: version, process id and host name. */
		detail: string;
		expires_at: string;
		created_at: string;
	};

	/** Keys of stored bytes whose rows are deleted, while a running backup may still copy the bytes. */
	deferred_deletes: {
		storage_key: string;
		created_at: string;
	};
}

/** A connection pool or an open transaction; the first parameter of every query function. */
export type Db = Kysely<Schema>;
