export { getSetting, type StoredSetting } from '../../platform/database/settings.ts';
export { getVersionedSetting, type SettingUpdate, saveSetting, updateSetting } from './settings-store.ts';
export { getContactInfo } from './site-settings.ts';
