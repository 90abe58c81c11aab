/** `GET`: a person's own data as a JSON file. */
export const userDataExportPath = '/api/me/export';
