/** Limits that server and browser apply. Sources: the specification's sections 5 and 9, and security considerations. */
export const limits = {
	passwordMinLength: 6,
	passwordMaxLength: 1000,
	emailMaxLength: 254,
	textMaxLength: 10_000,
	/** For each text field of the purchase form, which visitors send without signing in. */
	checkoutTextMaxLength: 300,
	/** Number of stored sessions (live and ended) and of stored sign-ins of one user. */
	sessionsPerUserMax: 1000,
	signInsPerUserMax: 500,
	/** For the owner's note to a buyer, and the seller's lines on a receipt. */
	orderNoteMaxLength: 1000,
	/** Fits the longest email address and the longest file name, with spaces around them. */
	searchMaxLength: 300,
	nameMaxBytes: 255,
	screenshotMaxBytes: 10 * 1024 * 1024,
	screenshotMaxPixels: 50_000_000,
	/** Larger images get no thumbnail, because making a thumbnail reads the whole file. */
	thumbnailSourceMaxBytes: 100 * 1024 * 1024,
	/** Length of the longer side. */
	thumbnailPx: 400,
	/** For a poster: an image of a frame of a video, made in the browser. */
	posterMaxBytes: 2 * 1024 * 1024,
	qrMaxBytes: 12 * 1024 * 1024,
	/** For a picture of the storefront; its pixels are limited by `screenshotMaxPixels`. */
	storefrontImageMaxBytes: 25 * 1024 * 1024,
	/** For a video of the landing page, so that a phone on a slow connection can load it. */
	videoMaxBytes: 25 * 1024 * 1024,
	captionsMaxBytes: 256 * 1024,
	uploadMaxBytes: 50 * 1024 ** 3,
	uploadFirstChunkBytes: 256 * 1024,
	uploadLargestChunkBytes: 32 * 1024 * 1024,
	/** Number and bytes of small files in one request. */
	uploadBatchMaxFiles: 32,
	uploadBatchMaxBytes: 1024 * 1024,
	/** Number of folders and files that one call moves, copies or deletes. */
	nodesPerCallMax: 1000,
	/** Number of nodes selected for one ZIP, limited because their IDs are in the URL (at most 16 KB). */
	zipSelectionMax: 500,
	concurrentZipsPerUserMax: 4,
	eventStreamsPerUserMax: 60,
	/** Depth of nested folders that one call creates. */
	folderDepthMax: 64,
	/** Depth of folders in a space; keeps the path of the innermost folder's children short enough for any call. */
	folderLevelsMax: 100,
	/** Days that a deleted node stays in the trash, unless the owner sets another number. */
	trashDaysDefault: 30,
	/** Minutes for which a browser retries an upload, unless the owner sets another number. */
	retryMinutesDefault: 1440,
	pageSizeDefault: 50,
	pageSizeMax: 1000,
	userNameMaxLength: 200,
	userImportMaxRows: 2000,
	userImportMaxBytes: 2 * 1024 * 1024,
	/** Number of users that one call of a bulk action changes. */
	usersPerCallMax: 200,
	/** Number of saved filters of one admin for one list. */
	savedFiltersMax: 50,
	savedFilterNameMaxLength: 80,
	savedFilterQueryMaxBytes: 2048,
	ordersPerCallMax: 50,
	statementMaxBytes: 5 * 1024 * 1024,
	statementMaxRows: 50_000,
	/** Number of statements that are compared at once. Each user can compare only one at a time. */
	concurrentStatementImportsMax: 2,
	/** Number of rows of each kind in one response. */
	statementRowsShownMax: 500,
	statementReferencesPerRowMax: 20,
	chartDaysMax: 366,
	/** The server counts at most this many results of a search. */
	searchCountMax: 1000,
	priceMaxRupees: 10_000_000,
	socialLinksMax: 8,
	legalTextMaxLength: 20_000,
	chatFileMaxBytes: 25 * 1024 * 1024,
	groupNameMaxLength: 80,
	/** Number of users that one call adds to a group or removes from it. */
	groupMembersPerCallMax: 1000,
	/** Number of users and groups with whom one call shares. */
	shareRecipientsPerCallMax: 50,
	cannedRepliesMax: 200,
	cannedReplyNameMaxLength: 80,
	/** Half of a message's length, so that the inserted name fits into the message. */
	cannedReplyMaxLength: 5000,
	cannedReplyFilesMax: 5,
	credentialFieldMaxLength: 1000,
	credentialImportMaxRows: 10_000,
	credentialImportMaxBytes: 2 * 1024 * 1024,
	credentialLookupDays: 180,
	/** Searched usernames and states are stored up to this length. */
	credentialLookupMaxLength: 300,
	/** Days that visits are kept with their IP addresses, unless the owner sets another number. */
	visitRetentionDaysDefault: 365,
	visitRetentionDaysMax: 3650,
	editionPartsMax: 12,
	editionLanguagesMax: 12,
	editionNameMaxLength: 60,
	documentPagesMax: 50_000,
	/** For a document's outline: levels, matched entries, and characters of a title. */
	outlineLevelsMax: 3,
	outlineEntriesMax: 500,
	outlineTitleMaxLength: 300,
	/** Number of annotations of a user in all documents, and bytes of their text. */
	annotationsPerUserMax: 10_000,
	annotationsPerUserMaxBytes: 8 * 1024 * 1024,
	annotationsPerDocumentMax: 5000,
	/** Bytes of the annotations' text in one document, because one response returns them all. */
	annotationsPerDocumentMaxBytes: 4 * 1024 * 1024,
	/** Number of lines of one highlight. */
	highlightRectanglesMax: 200,
	highlightQuoteMaxLength: 5000,
	annotationNoteMaxLength: 10_000,
} as const;
