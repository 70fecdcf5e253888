DROP INDEX "contact_messages_user";--> statement-breakpoint
ALTER TABLE "contact_messages" ADD COLUMN "key" text;--> statement-breakpoint
ALTER TABLE "idempotency" ADD COLUMN "answer_hash" text;--> statement-breakpoint
UPDATE "contact_messages" SET "key" = "idempotency"."key" FROM "idempotency" WHERE "idempotency"."user_id" = "contact_messages"."user_id" AND "idempotency"."answer" -> 'data' ->> 'id' = "contact_messages"."id"::text;--> statement-breakpoint
CREATE UNIQUE INDEX "contact_messages_key" ON "contact_messages" USING btree ("user_id","key");--> statement-breakpoint
CREATE INDEX "idempotency_newest" ON "idempotency" USING btree ("user_id","created_at");