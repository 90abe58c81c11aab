// What other features may do with stored settings.
export { getSetting, type SettingUpdate, type StoredSetting, updateSetting } from './settings-store.ts';
export { getContactInfo } from './site-settings.ts';
