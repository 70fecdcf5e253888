CREATE INDEX "contact_messages_unanswered" ON "contact_messages" USING btree ("created_at") WHERE reply is null;--> statement-breakpoint
CREATE INDEX "contact_messages_acknowledge" ON "contact_messages" USING btree ("acknowledge_at") WHERE acknowledge_at is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_ended" ON "subscriptions" USING btree ("store","ends_at") WHERE told <> 'FREE';