// What other features may know of a member’s course.
export { summariseCourse } from './course.service.ts';
