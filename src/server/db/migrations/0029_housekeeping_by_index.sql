CREATE TABLE "cleanup_marks" (
	"name" text PRIMARY KEY NOT NULL,
	"reached" text NOT NULL
);
--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "charges_created" ON "charges" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "charges_reserved" ON "charges" USING btree ("user_id","chat_id") WHERE state = 'reserved';--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "charges_free" ON "charges" USING btree ("user_id","free_day") WHERE "charges"."free_day" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "chats_image" ON "chats" USING btree ("user_id","chat_image") WHERE "chats"."chat_image" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "code_guards_day" ON "code_guards" USING btree ("day");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "codes_end" ON "codes" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "coin_days_day" ON "coin_days" USING btree ("day");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "notifications_created" ON "notifications" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "idempotency_created" ON "idempotency" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "refresh_tokens_end" ON "refresh_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "sessions_revoked" ON "sessions" USING btree ("revoked_at") WHERE "sessions"."revoked_at" is not null;--> statement-breakpoint
CREATE INDEX IF NOT EXISTS "store_events_created" ON "store_events" USING btree ("created_at");