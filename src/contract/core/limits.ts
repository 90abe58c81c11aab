/**
 * Limits that both sides must agree on. Bytes unless the name says otherwise.
 * Sources: the specification's sections 5 and 9; the security page for screenshots.
 */
export const limits = {
	passwordMinLength: 6,
	passwordMaxLength: 1000,
	emailMaxLength: 254,
	textMaxLength: 10_000,
	/** Of each text of the purchase form, which visitors send without signing in. */
	checkoutTextMaxLength: 300,
	/** Of one user: stored sessions, ended ones too, and stored sign-ins of the login history. */
	sessionsPerUserMax: 1000,
	signInsPerUserMax: 500,
	/** The owner's note for a buyer, and the seller's lines on a receipt. */
	orderNoteMaxLength: 1000,
	/** The longest address and the longest file name fit, with blanks around them. */
	searchMaxLength: 300,
	nameMaxBytes: 255,
	screenshotMaxBytes: 10 * 1024 * 1024,
	screenshotMaxPixels: 50_000_000,
	/** Larger pictures have no thumbnail: they would have to be read whole. */
	thumbnailSourceMaxBytes: 100 * 1024 * 1024,
	/** Of its longer side. */
	thumbnailPx: 400,
	/** A frame of a film, as a browser has drawn it. */
	posterMaxBytes: 2 * 1024 * 1024,
	qrMaxBytes: 12 * 1024 * 1024,
	/** A film of the landing page: what a phone on a slow line can still load. */
	videoMaxBytes: 25 * 1024 * 1024,
	captionsMaxBytes: 256 * 1024,
	uploadMaxBytes: 50 * 1024 ** 3,
	uploadFirstChunkBytes: 256 * 1024,
	uploadLargestChunkBytes: 32 * 1024 * 1024,
	/** Folders and files that one call moves, copies or deletes. */
	nodesPerCallMax: 1000,
	/** Chosen for one archive: their ids stand in its address, which may have 16 KB. */
	zipSelectionMax: 500,
	/** Archives that one person has under way at once. */
	concurrentZipsPerUserMax: 4,
	/** Open pages of one person that hear of changes. */
	eventStreamsPerUserMax: 60,
	/** Folders in each other that one call makes. */
	folderDepthMax: 64,
	/** Folders in each other from the root of a space: any call can name the place of what lies in the innermost. */
	folderLevelsMax: 100,
	/** Days that something stays in the trash, unless the owner sets another age. */
	trashDaysDefault: 30,
	/** Minutes for which a browser tries an upload again, unless the owner sets another time. */
	retryMinutesDefault: 1440,
	pageSizeDefault: 50,
	pageSizeMax: 1000,
	userNameMaxLength: 200,
	userImportMaxRows: 2000,
	userImportMaxBytes: 2 * 1024 * 1024,
	/** Orders that one call sets to Complete. */
	ordersPerCallMax: 50,
	/** A statement of a bank, or of UPI payments. */
	statementMaxBytes: 5 * 1024 * 1024,
	statementMaxRows: 50_000,
	/** Statements that are compared at once, each of another person. */
	concurrentStatementImportsMax: 2,
	/** Lines of each kind that one answer carries. */
	statementRowsShownMax: 500,
	/** Of one line. */
	statementReferencesPerRowMax: 20,
	/** Days that a chart shows. */
	chartDaysMax: 366,
	/** A broad search is not counted further. */
	searchCountMax: 1000,
	priceMaxRupees: 10_000_000,
	socialLinksMax: 8,
	legalTextMaxLength: 20_000,
	/** A file sent in a chat. */
	chatFileMaxBytes: 25 * 1024 * 1024,
	cannedRepliesMax: 200,
	cannedReplyNameMaxLength: 80,
	/** Half of a message: the name that is put into it has room. */
	cannedReplyMaxLength: 5000,
	/** Of one reply. */
	cannedReplyFilesMax: 5,
	credentialFieldMaxLength: 1000,
	credentialImportMaxRows: 10_000,
	credentialImportMaxBytes: 2 * 1024 * 1024,
	credentialLookupDays: 180,
	/** Of a username or a state that was searched for, as the list of lookups keeps it. */
	credentialLookupMaxLength: 300,
	/** Days that visits are kept with their addresses, unless the owner sets another time. */
	visitRetentionDaysDefault: 365,
	visitRetentionDaysMax: 3650,
	/** Of a PDF that is read. */
	documentPagesMax: 50_000,
	/** Of a document's outline: levels, entries that are paired, and signs of a title. */
	outlineLevelsMax: 3,
	outlineEntriesMax: 500,
	outlineTitleMaxLength: 300,
	/** Of one user in all documents: highlights, bookmarks and notes, and their text in bytes. */
	annotationsPerUserMax: 10_000,
	annotationsPerUserMaxBytes: 8 * 1024 * 1024,
	/** Of one person in one document. */
	annotationsPerDocumentMax: 5000,
	/** The same in bytes: they are given out all at once. */
	annotationsPerDocumentMaxBytes: 4 * 1024 * 1024,
	/** Lines of one highlight. */
	highlightRectanglesMax: 200,
	highlightQuoteMaxLength: 5000,
	annotationNoteMaxLength: 10_000,
} as const;
