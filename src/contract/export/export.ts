/** `GET`: a person's own data as a JSON file. */
export const ownExportPath = '/api/me/export';
